import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../support/random.ts'
import { command } from '../command.ts'
import type { Machine } from './machine.ts'
import { ENTRIES } from './network.ts'

const CHECK_MS = 250
const TIMEOUT_MS = 1_000

/**
 * The addresses that people know, each held by a machine whose HAProxy answers: what keepalived does, which is not part of
 * what is tested.
 */
export class Doors {
  readonly #machines: readonly Machine[]
  readonly #holders = new Map<string, Machine>()
  readonly #random: Random
  readonly #done: Promise<unknown>
  #closed = false

  private constructor(machines: readonly Machine[], random: Random) {
    this.#machines = machines
    this.#random = random
    this.#done = this.#watch()
  }

  static async open(machines: readonly Machine[], random: Random): Promise<Doors> {
    const doors = new Doors(machines, random)
    while (doors.#holders.size < ENTRIES.length) await sleep(CHECK_MS)
    return doors
  }

  /** One of them; asked again for every call, so that a round starts on one machine and stops on another. */
  url(): string {
    return `https://${this.#random.pick(ENTRIES)}`
  }

  /** The machine that has this one. */
  holder(entry: string): Machine | undefined {
    return this.#holders.get(entry)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#done
  }

  async #watch(): Promise<void> {
    while (!this.#closed) {
      const open = await Promise.all(this.#machines.map(isOpen))
      for (const [place, entry] of ENTRIES.entries()) {
        const home = this.#machines[place]
        const other = this.#machines.find((_, number) => open[number])
        const holder = home && open[place] ? home : other
        if (holder && this.#holders.get(entry) !== holder) await this.#move(entry, holder)
      }
      await sleep(CHECK_MS)
    }
  }

  async #move(entry: string, holder: Machine): Promise<void> {
    const address = [`${entry}/24`, 'dev', 'host0']
    for (const machine of this.#machines)
      await machine.debian.ip('address', 'del', ...address).catch(() => undefined)
    await holder.debian.ip('address', 'add', ...address)
    // The new holder would tell the neighbours that it is here, and whoever asks for a connection to the former one that
    // there is none.
    await command('ip', 'neighbour', 'flush', 'to', entry)
    await command('ss', '--kill', 'dst', entry)
    this.#holders.set(entry, holder)
  }
}

async function isOpen({ address }: Machine): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(`http://${address}/`, { redirect: 'manual', signal }).catch(() => null)
  return answer?.status === 308
}
