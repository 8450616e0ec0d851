import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Acknowledged } from '../../faults/crowd.ts'
import { cpuSeconds } from '../cpu.ts'
import type { Run } from './crowd.ts'
import type { Done, Job } from './generator.ts'
import type { SeatName } from './seats.ts'

const PROGRAM = fileURLToPath(new URL('generator.ts', import.meta.url))
const TYPESCRIPT = fileURLToPath(new URL('../../scripts/typescript.mjs', import.meta.url))

/** Who plays, where. */
export interface LoadOptions {
  readonly seats: SeatName
  readonly url: string
  readonly players?: number
  readonly connections?: number
}

/** A run, with what was acknowledged in it. */
export interface LoadRun extends Run {
  readonly acknowledged: readonly Acknowledged[]
  /** What the generator itself has cost, s of one core. */
  readonly cpuSeconds: number
}

/** A crowd of players in a process of its own, so that it disturbs nothing but by its share of the cores. */
export class Load {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** Starts the process and lets the players come to the page. */
  static async gather({ seats, url, players = 1_024, connections = 512 }: LoadOptions): Promise<Load> {
    const child = fork(PROGRAM, { execArgv: ['--import', TYPESCRIPT], serialization: 'advanced' })
    const load = new Load(child)
    await load.#do({ act: 'gather', seats, url, players, connections })
    return load
  }

  /** As many rounds as there can be; see `LoadCrowd.peak`. */
  peak(seconds: number): Promise<LoadRun> {
    return this.#run({ act: 'peak', seconds })
  }

  /** So many rounds a second, whatever becomes of them; see `LoadCrowd.steady`. */
  steady(rate: number, seconds: number): Promise<LoadRun> {
    return this.#run({ act: 'steady', rate, seconds })
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }

  async #run(job: Job): Promise<LoadRun> {
    const { pid = 0 } = this.#child
    const before = await cpuSeconds([pid])
    const { run, acknowledged } = await this.#do(job)
    if (!run) throw new Error('The generator ran nothing')
    return { ...run, acknowledged, cpuSeconds: (await cpuSeconds([pid])) - before }
  }

  async #do(job: Job): Promise<Done> {
    const answer = once(this.#child, 'message')
    const end = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`The generator ended with ${code}`)
    })
    this.#child.send(job)
    const [done] = (await Promise.race([answer, end])) as [Done]
    if (done.error) throw new Error(`The generator failed: ${done.error}`)
    return done
  }
}
