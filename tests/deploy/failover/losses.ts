import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../support/shared-postgres.ts'
import type { Cluster } from './cluster.ts'
import type { Machine, ServiceName } from './machine.ts'

/** What puts things right again. */
export type Mend = () => Promise<unknown>

/** A way to lose a part of the cluster. */
export interface Loss {
  /** Takes it away and returns how it is given back. */
  strike(cluster: Cluster): Promise<Mend>
  /** A new leader has to be made while this lasts. */
  readonly newLeader?: true
}

/** A loss that nobody should feel shows within this, if it does. */
const SHOWS_MS = 10_000
/** The same where the leader's lock runs out. */
const LOCK_MS = 25_000
/** How long nobody sees to a full disk. */
const DISK_FULL_MS = 5_000

/** It comes back by itself. */
const nothing: Mend = async () => undefined

/** Kills a service, which comes back by itself. */
async function kill(machine: Machine, name: ServiceName): Promise<Mend> {
  await machine.signal(name, 'KILL')
  return nothing
}

/** Ends services, which stay down for a while. */
async function down(machines: readonly Machine[], name: ServiceName, ms: number): Promise<Mend> {
  await Promise.all(machines.map(machine => machine.tell(name, 'stop')))
  await sleep(ms)
  // None waits for the others: the first etcd is up once it has heard from a second one.
  return () => Promise.all(machines.map(machine => machine.tell(name, 'start', '--no-block')))
}

/** Stops processes where they stand. */
async function freeze(pids: readonly number[]): Promise<Mend> {
  send('SIGSTOP', pids)
  return async () => send('SIGCONT', pids)
}

const postmasterOf = ({ debian }: Machine) => debian.pids('/postgres -D ')
/** PostgreSQL's processes but the postmaster, and none of Patroni. */
const backendsOf = ({ debian }: Machine) => debian.pids('postgres: taps: ')

/** As an operator does it: with a candidate the third machine would wait for 2 s, and all commits for it. */
async function switchOver(cluster: Cluster, leader: Machine): Promise<void> {
  await cluster.patronictl(leader, 'switchover', '--leader', leader.name, '--force')
}

/** Everything that can be lost, by the name that reports use. */
export const LOSSES = {
  'TAPS node killed': { strike: ({ machines: [one] }) => kill(one, 'taps') },
  'TAPS node frozen': {
    async strike({ machines: [one] }) {
      await one.signal('taps', 'STOP')
      return () => one.signal('taps', 'CONT')
    },
  },
  'HAProxy to the database killed': { strike: ({ machines: [one] }) => kill(one, 'taps-haproxy@database') },
  'one etcd lost': { strike: ({ machines: [one] }) => down([one], 'taps-etcd', SHOWS_MS) },
  // The leader leads on because both others say that they follow it.
  'all etcd lost': { strike: ({ machines }) => down(machines, 'taps-etcd', LOCK_MS) },
  switchover: {
    async strike(cluster) {
      await switchOver(cluster, await cluster.awaitLeader())
      return nothing
    },
    newLeader: true,
  },
  'PostgreSQL of the leader killed': {
    async strike(cluster) {
      send('SIGKILL', await postmasterOf(await cluster.awaitLeader()))
      return nothing
    },
    newLeader: true,
  },
  'PostgreSQL of the leader frozen': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      return freeze([...(await postmasterOf(leader)), ...(await backendsOf(leader))])
    },
    newLeader: true,
  },
  'leader machine lost': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      await leader.lose()
      return () => leader.turnOn()
    },
    newLeader: true,
  },
  'leader machine frozen': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      await leader.freeze()
      return () => leader.wake()
    },
    newLeader: true,
  },
  'leader cut off': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      await leader.link('down')
      return () => leader.link('up')
    },
    newLeader: true,
  },
  'disk of the leader full': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      await leader.fillDisk()
      await sleep(DISK_FULL_MS)
      // Patroni sees a leader that answers; when PostgreSQL has not given up by itself, somebody has to say so.
      if ((await cluster.awaitLeader()) === leader) await switchOver(cluster, leader)
      return () => leader.emptyDisk()
    },
  },
} satisfies Readonly<Record<string, Loss>>

export type LossName = keyof typeof LOSSES
