import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../support/shared-postgres.ts'
import type { Cluster } from './cluster.ts'
import type { Machine, ServiceName } from './machine.ts'

export type Repair = () => Promise<unknown>

/** A way to lose a part of the cluster. */
export interface Loss {
  strike(cluster: Cluster): Promise<Repair>
  /** Whether the cluster must elect a new leader during this loss. */
  readonly newLeader?: true
}

/** The duration of a loss, long enough for the affected players to notice. */
const SHOWS_MS = 10_000
/** The duration of a loss that outlasts the leader's lock. */
const LOCK_MS = 25_000
/** The time until the operator notices the full disk. */
const DISK_FULL_MS = 5_000

/** Does nothing, because the lost part recovers by itself. */
const noRepair: Repair = async () => undefined

async function kill(machine: Machine, name: ServiceName): Promise<Repair> {
  await machine.signal(name, 'KILL')
  return noRepair
}

/** Stops a service on these machines for `ms`. The repair starts the service again. */
async function down(machines: readonly Machine[], name: ServiceName, ms: number): Promise<Repair> {
  await Promise.all(machines.map(machine => machine.systemctl(name, 'stop')))
  await sleep(ms)
  // Does not wait, because the start of the first etcd completes only when a second etcd answers.
  return () => Promise.all(machines.map(machine => machine.systemctl(name, 'start', '--no-block')))
}

async function freeze(pids: readonly number[]): Promise<Repair> {
  send('SIGSTOP', pids)
  return async () => send('SIGCONT', pids)
}

const postmasterOf = ({ debian }: Machine) => debian.pids('/postgres -D ')
/** Returns PostgreSQL's processes, except the postmaster and Patroni's connections. */
const backendsOf = ({ debian }: Machine) => debian.pids('postgres: taps: ')

/** Names no candidate, because a named candidate would delay the third machine and all commits by 2 s. */
async function switchOver(cluster: Cluster, leader: Machine): Promise<void> {
  await cluster.patronictl(leader, 'switchover', '--leader', leader.name, '--force')
}

/** Every tested loss, by its name in reports. */
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
  // The leader continues, because both other machines confirm that they follow it.
  'all etcd lost': { strike: ({ machines }) => down(machines, 'taps-etcd', LOCK_MS) },
  switchover: {
    async strike(cluster) {
      await switchOver(cluster, await cluster.awaitLeader())
      return noRepair
    },
    newLeader: true,
  },
  'PostgreSQL of the leader killed': {
    async strike(cluster) {
      send('SIGKILL', await postmasterOf(await cluster.awaitLeader()))
      return noRepair
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
      // Patroni keeps a leader that still answers, so the operator has to switch over.
      if ((await cluster.awaitLeader()) === leader) await switchOver(cluster, leader)
      return () => leader.emptyDisk()
    },
  },
} satisfies Readonly<Record<string, Loss>>

export type LossName = keyof typeof LOSSES
