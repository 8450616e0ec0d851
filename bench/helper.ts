import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const TYPESCRIPT = fileURLToPath(new URL('../scripts/typescript.mjs', import.meta.url))

const running = new Set<ChildProcess>()

/** A separate process that does jobs for the benchmark. */
export class Helper<Job extends object, Result> {
  readonly #child: ChildProcess

  /** @param program - A module that calls `serveJobs`. */
  constructor(program: URL) {
    this.#child = fork(program, { execArgv: ['--import', TYPESCRIPT], serialization: 'advanced' })
    running.add(this.#child)
  }

  /**
   * Sends a job to the process, and waits for the result. Jobs must not overlap.
   *
   * @throws Error when the process exits first
   */
  async do(job: Job): Promise<Result> {
    const finished = new AbortController()
    const answer = once(this.#child, 'message', finished)
    const end = once(this.#child, 'exit', finished).then(([code]) => {
      throw new Error(`A helper process exited with code ${code}`)
    })
    this.#child.send(job)
    const [result] = await Promise.race([answer, end]).finally(() => finished.abort())
    return result
  }
}

export function endHelpers(): void {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
}

/** Calls `work` for each job that this process receives. An error ends the process. */
export function serveJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on('message', async (job: Job) => process.send?.(await work(job)))
}
