import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Lets Node run TypeScript. */
const TYPESCRIPT = fileURLToPath(new URL('../scripts/typescript.mjs', import.meta.url))

/** The result of a job. */
type Outcome<Result> = { readonly result: Result } | { readonly error: string }

/** A process that works for the bench, so that its work takes nothing from the server but its share of the cores. */
export class Helper<Job extends object, Result> {
  readonly #name: string
  readonly #child: ChildProcess

  /** @param program calls `serveJobs` */
  constructor(program: URL) {
    this.#name = program.pathname.split('/').at(-1) ?? ''
    this.#child = fork(program, { execArgv: ['--import', TYPESCRIPT], serialization: 'advanced' })
  }

  /**
   * Has one job done. The next may be given when this one is done.
   *
   * @throws Error with what went wrong in that process
   */
  async do(job: Job): Promise<Result> {
    const over = new AbortController()
    const answer = once(this.#child, 'message', over)
    const end = once(this.#child, 'exit', over).then(([code]) => {
      throw new Error(`${this.#name} ended with ${code}`)
    })
    this.#child.send(job)
    const [outcome] = (await Promise.race([answer, end]).finally(() => over.abort())) as [Outcome<Result>]
    if ('error' in outcome) throw new Error(`${this.#name} failed: ${outcome.error}`)
    return outcome.result
  }

  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#child
    if (exitCode !== null || signalCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }
}

/** Makes this process do the jobs it is sent, one after the other. */
export function serveJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on('message', async (job: Job) => {
    const outcome = await work(job).then(
      (result): Outcome<Result> => ({ result }),
      (error: unknown): Outcome<Result> => ({
        error: error instanceof Error ? (error.stack ?? error.message) : `${error}`,
      }),
    )
    process.send?.(outcome)
  })
}
