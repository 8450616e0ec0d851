import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../support/random.ts'
import { command } from '../command.ts'
import type { Machine } from './machine.ts'
import { VIRTUAL_IPS } from './network.ts'

const CHECK_MS = 250
const TIMEOUT_MS = 1_000

/** Keeps each public address on a machine whose HAProxy answers, like keepalived. */
export class VirtualIps {
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

  static async open(machines: readonly Machine[], random: Random): Promise<VirtualIps> {
    const virtualIps = new VirtualIps(machines, random)
    while (virtualIps.#holders.size < VIRTUAL_IPS.length) await sleep(CHECK_MS)
    return virtualIps
  }

  /** Returns the URL of a random public address, so that Start and Stop may reach different machines. */
  url(): string {
    return `https://${this.#random.pick(VIRTUAL_IPS)}`
  }

  holder(ip: string): Machine | undefined {
    return this.#holders.get(ip)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#done
  }

  async #watch(): Promise<void> {
    while (!this.#closed) {
      const open = await Promise.all(this.#machines.map(isOpen))
      for (const [place, ip] of VIRTUAL_IPS.entries()) {
        const home = this.#machines[place]
        const other = this.#machines.find((_, number) => open[number])
        const holder = home && open[place] ? home : other
        if (holder && this.#holders.get(ip) !== holder) await this.#move(ip, holder)
      }
      await sleep(CHECK_MS)
    }
  }

  async #move(ip: string, holder: Machine): Promise<void> {
    const address = [`${ip}/24`, 'dev', 'host0']
    for (const machine of this.#machines)
      await machine.debian.ip('address', 'del', ...address).catch(() => undefined)
    await holder.debian.ip('address', 'add', ...address)
    // Makes clients drop the former holder, like keepalived when it announces a new holder.
    await command('ip', 'neighbour', 'flush', 'to', ip)
    await command('ss', '--kill', 'dst', ip)
    this.#holders.set(ip, holder)
  }
}

async function isOpen({ address }: Machine): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(`http://${address}/`, { redirect: 'manual', signal }).catch(() => null)
  return answer?.status === 308
}
