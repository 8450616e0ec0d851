import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../faults/postgres.ts'
import type { Cluster } from './cluster.ts'
import type { Machine, ServiceName } from './machine.ts'

/** What puts things right again; nothing where they do so by themselves. */
type Mend = () => Promise<unknown>

/** A way to lose a part of the cluster. */
export interface Loss {
  /** Takes it away and says how it is given back. */
  strike(cluster: Cluster): Promise<Mend>
  /** Nobody can play before it is given back, which is done after so long, ms. */
  readonly standstillMs?: number
}

/** How long nobody sees to a disk that is full. */
const DISK_FULL_MS = 5_000

const nothing: Mend = async () => undefined
const all = (machines: readonly Machine[], act: (machine: Machine) => Promise<unknown>) =>
  Promise.all(machines.map(act))

/** Every process of PostgreSQL on a machine, and none of Patroni. */
const postgresOf = (machine: Machine) => machine.pidsOf('postgres: taps: ')
const postmasterOf = (machine: Machine) => machine.pidsOf('/postgres -D ')

/** Services that are killed and stay down. */
async function down(machines: readonly Machine[], name: ServiceName): Promise<Mend> {
  for (const machine of machines) {
    machine.service(name).abandon()
    machine.service(name).signal('SIGKILL')
  }
  return () => all(machines, machine => machine.start(name))
}

/** Patroni and its PostgreSQL, at once. */
async function databaseDown(machines: readonly Machine[]): Promise<Mend> {
  const mend = await down(machines, 'taps-database')
  for (const machine of machines) send('SIGKILL', await postmasterOf(machine))
  return mend
}

/** Services that are killed, and come back by themselves. */
async function kill(machines: readonly Machine[], name: ServiceName): Promise<Mend> {
  for (const machine of machines) machine.service(name).signal('SIGKILL')
  return nothing
}

const machineLost = async (machines: readonly Machine[]): Promise<Mend> => {
  await all(machines, machine => machine.lose())
  return () => all(machines, machine => machine.comeBack())
}

const otherThan = async (cluster: Cluster) => cluster.others(await cluster.awaitLeader())
const one = (machines: readonly Machine[]) => machines.slice(0, 1)

/** As an operator does it, with the first of the others. */
async function switchOver(cluster: Cluster, leader: Machine): Promise<void> {
  const [candidate = leader] = cluster.others(leader)
  const way = ['--leader', leader.name, '--candidate', candidate.name]
  await cluster.patronictl(leader, 'switchover', ...way, '--force')
}

/** Everything that can be lost, by the name that reports use. */
export const LOSSES = {
  'leader machine lost': { strike: async cluster => machineLost([await cluster.awaitLeader()]) },
  'leader machine frozen': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      await leader.freeze()
      return () => leader.wake()
    },
  },
  'leader cut off': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      await leader.cut()
      return () => leader.mend()
    },
  },
  'leader and a replica kept apart': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      const pair = [leader, ...one(cluster.others(leader))]
      await all(pair, machine => machine.keepApart(true))
      return () => all(pair, machine => machine.keepApart(false))
    },
  },
  'PostgreSQL of the leader killed': {
    async strike(cluster) {
      send('SIGKILL', await postmasterOf(await cluster.awaitLeader()))
      return nothing
    },
  },
  'PostgreSQL of the leader frozen': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      const pids = [...(await postmasterOf(leader)), ...(await postgresOf(leader))]
      send('SIGSTOP', pids)
      return async () => send('SIGCONT', pids)
    },
  },
  'Patroni of the leader killed': {
    strike: async cluster => kill([await cluster.awaitLeader()], 'taps-database'),
  },
  switchover: {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      await switchOver(cluster, leader)
      return nothing
    },
  },
  'replica machine lost': { strike: async cluster => machineLost(one(await otherThan(cluster))) },
  'a replica lost': { strike: async cluster => databaseDown(one(await otherThan(cluster))) },
  'both replicas lost': {
    strike: async cluster => databaseDown(await otherThan(cluster)),
    standstillMs: 5_000,
  },
  'two machines lost': {
    strike: async cluster => machineLost(await otherThan(cluster)),
    standstillMs: 15_000,
  },
  'all machines lost': { strike: ({ machines }) => machineLost(machines), standstillMs: 1_000 },
  'one etcd lost': { strike: ({ machines }) => down(one(machines), 'taps-etcd') },
  'two etcd lost': { strike: ({ machines }) => down(machines.slice(1), 'taps-etcd') },
  'all etcd lost': {
    async strike({ machines }) {
      const mend = await down(machines, 'taps-etcd')
      // Longer than the lock lasts: the leader leads on because both others say that they follow it.
      await sleep(25_000)
      return mend
    },
  },
  'HAProxy to the database killed': { strike: ({ machines }) => kill(machines, 'taps-haproxy@database') },
  'HAProxy to the game killed': { strike: ({ machines }) => kill(machines, 'taps-haproxy@game') },
  'TAPS node killed': { strike: ({ machines }) => kill(one(machines), 'taps-node') },
  'TAPS node frozen': {
    async strike({ machines }) {
      for (const machine of one(machines)) machine.service('taps-node').signal('SIGSTOP')
      return async () => {
        for (const machine of one(machines)) machine.service('taps-node').signal('SIGCONT')
      }
    },
  },
  'TAPS node stopped': {
    async strike({ machines }) {
      await all(one(machines), machine => machine.stop('taps-node'))
      return () => all(one(machines), machine => machine.start('taps-node'))
    },
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
