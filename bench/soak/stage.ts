import { readdir } from 'node:fs/promises'
import type { Acknowledged } from '../../tests/support/answers.ts'
import { Client } from '../../tests/support/client.ts'
import type { ServerNode } from '../../tests/support/node.ts'
import { postmasterOf } from '../../tests/support/shared-postgres.ts'
import { familyOf } from '../cpu.ts'
import { Audience } from '../live/audience.ts'
import { Load } from '../load/load.ts'
import { privateBytes, residentBytes } from '../memory.ts'
import { startGame } from '../rounds/stage.ts'

/** Rounds a second. */
const RATE = 100
const VIEWERS = 300
/** Who come and go in every window, besides those. */
const PASSERS_BY = 100
/** Who make an account in every window, claim with it and log out. */
const JOINERS = 5
const PASSWORD = 'a long enough password'
const MB = 2 ** 20

/** What is looked at in every window. */
export const MEASURES = {
  memory: 'memory of the server, MB',
  heap: 'heap of the server in use, MB',
  postgres: 'memory of PostgreSQL without its cache, MB',
  files: 'open files of the server',
  p50: 'p50 of a call, ms',
  p99: 'p99 of a call, ms',
} as const
export type Measure = keyof typeof MEASURES
export type Window = Readonly<Record<Measure, number>>

/** A crowd at a moderate pace, in words. */
export const CROWD = `${RATE} rounds a second, ${VIEWERS} viewers who stay, and in every window ${PASSERS_BY} who come and
go and ${JOINERS} who make an account, claim and log out`

/** One server that is played on for a long time. */
export class SoakStage {
  readonly #node: ServerNode
  readonly #dataDir: string
  readonly #load: Load
  readonly #regulars = new Audience()
  readonly #passersBy = new Audience()
  readonly acknowledged: Acknowledged[] = []
  #joined = 0

  private constructor(node: ServerNode, dataDir: string, load: Load) {
    this.#node = node
    this.#dataDir = dataDir
    this.#load = load
  }

  static async open(dataDir: string): Promise<SoakStage> {
    const node = await startGame({ DATA_DIR: dataDir })
    const load = await Load.gather({ seats: 'taps', url: node.url, players: 256, connections: 64 })
    const stage = new SoakStage(node, dataDir, load)
    await stage.#regulars.open(node.url, VIEWERS)
    return stage
  }

  /** Lets everybody play for a while, and looks at the server. */
  async pass(seconds: number): Promise<Window> {
    const [run] = await Promise.all([this.#load.steady(RATE, seconds, true), this.#passBy(), this.#join()])
    for (const attempt of run.acknowledged) this.acknowledged.push(attempt)
    const { pid } = this.#node
    return {
      memory: (await residentBytes(pid)) / MB,
      heap: (await this.#heapBytes()) / MB,
      postgres: (await privateBytes(await familyOf(await postmasterOf(this.#dataDir)))) / MB,
      files: (await readdir(`/proc/${pid}/fd`)).length,
      p50: run.calls.p50,
      p99: run.calls.p99,
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#load.close(), this.#regulars.close(), this.#passersBy.close()])
  }

  async #passBy(): Promise<void> {
    await this.#passersBy.open(this.#node.url, PASSERS_BY)
    await this.#passersBy.leave()
  }

  async #join(): Promise<void> {
    for (let joiner = 0; joiner < JOINERS; joiner += 1) {
      this.#joined += 1
      const client = new Client(this.#node.url)
      const { body } = await client.play((await client.session()).round, 0, 'Joiner')
      const { status } = await client.createAccount(`Joiner ${this.#joined}`, PASSWORD)
      const claimed = await client.post<{ taps: number }>('/api/claim')
      await client.post('/api/logout')
      if (status !== 201 || claimed.body.taps !== body.attempt.won_taps) throw new Error('A claim is wrong')
    }
  }

  async #heapBytes(): Promise<number> {
    const text = await (await fetch(`${this.#node.url}/metrics`)).text()
    return Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(text)?.[1])
  }
}
