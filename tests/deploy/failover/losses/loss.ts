import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../cluster.ts'
import type { Machine, ServiceName } from '../machine.ts'

/** What puts things right again; nothing where they do so by themselves. */
export type Mend = () => Promise<unknown>

/** A way to lose a part of the cluster. */
export interface Loss {
  /** Takes it away and says how it is given back. */
  strike(cluster: Cluster): Promise<Mend>
  /** Nobody can play before it is given back, which is done after so long, ms. */
  readonly standstillMs?: number
  /** A new leader has to be made while this lasts. */
  readonly newLeader?: true
}

/** Whatever has to show after a loss that nobody should feel shows within this. */
export const SHOWS_MS = 10_000
/** The same where the leader's lock runs out. */
export const LOCK_MS = 25_000

export const nothing: Mend = async () => undefined

export const all = (machines: readonly Machine[], act: (machine: Machine) => Promise<unknown>) =>
  Promise.all(machines.map(act))

export const one = (machines: readonly Machine[]) => machines.slice(0, 1)

/** The machines that do not lead. */
export const followers = async (cluster: Cluster) => cluster.others(await cluster.awaitLeader())

/** Services that are killed and stay down. */
export async function down(machines: readonly Machine[], name: ServiceName): Promise<Mend> {
  for (const machine of machines) {
    machine.service(name).abandon()
    machine.service(name).signal('SIGKILL')
  }
  return () => all(machines, machine => machine.start(name))
}

/** Services that are killed, and come back by themselves. */
export async function kill(machines: readonly Machine[], name: ServiceName): Promise<Mend> {
  for (const machine of machines) machine.service(name).signal('SIGKILL')
  return nothing
}

/** Goes on for a while with what has happened. */
export async function lasting(ms: number, mend: Promise<Mend>): Promise<Mend> {
  const happened = await mend
  await sleep(ms)
  return happened
}
