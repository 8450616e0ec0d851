import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const TYPESCRIPT = fileURLToPath(new URL('../scripts/typescript.mjs', import.meta.url))

const running = new Set<ChildProcess>()

/** A process that works for the bench, apart from the server's. */
export class Helper<Job extends object, Result> {
  readonly #child: ChildProcess

  /** @param program - Calls `serveJobs`. */
  constructor(program: URL) {
    this.#child = fork(program, { execArgv: ['--import', TYPESCRIPT], serialization: 'advanced' })
    running.add(this.#child)
  }

  /**
   * Has one job done; the next must wait for its end.
   *
   * @throws Error when the process ends instead
   */
  async do(job: Job): Promise<Result> {
    const over = new AbortController()
    const answer = once(this.#child, 'message', over)
    const end = once(this.#child, 'exit', over).then(([code]) => {
      throw new Error(`A helper ended with ${code}`)
    })
    this.#child.send(job)
    const [result] = await Promise.race([answer, end]).finally(() => over.abort())
    return result
  }
}

export function endHelpers(): void {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
}

/** Makes this process do the jobs it receives, one after the other; an error ends it. */
export function serveJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on('message', async (job: Job) => process.send?.(await work(job)))
}
