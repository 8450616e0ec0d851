import type { Acknowledged } from '../../tests/support/answers.ts'
import { Helper } from '../helper.ts'
import type { CrowdOptions, Run } from './crowd.ts'
import type { Done, Job } from './generator.ts'

/** A run and the attempts acknowledged in it. */
export interface LoadRun extends Run {
  readonly acknowledged: readonly Acknowledged[]
}

/** A crowd of players in a process of its own, so that it takes nothing from the server but its share of the cores. */
export class Load {
  readonly #process = new Helper<Job, Done>(new URL('generator.ts', import.meta.url))

  /** Starts the process and lets the players load the page. */
  static async gather(options: CrowdOptions): Promise<Load> {
    const load = new Load()
    await load.#process.do({ act: 'gather', ...options })
    return load
  }

  /** As many rounds as the server can take; see `LoadCrowd.peak`. */
  peak(seconds: number): Promise<LoadRun> {
    return this.#run({ act: 'peak', seconds })
  }

  /** A fixed number of rounds a second; see `LoadCrowd.steady`. */
  steady(rate: number, seconds: number): Promise<LoadRun> {
    return this.#run({ act: 'steady', rate, seconds })
  }

  close(): Promise<void> {
    return this.#process.close()
  }

  async #run(job: Job): Promise<LoadRun> {
    const { run, acknowledged } = await this.#process.do(job)
    if (!run) throw new Error('The generator ran nothing')
    return { ...run, acknowledged }
  }
}
