import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../../support/shared-postgres.ts'
import type { Cluster } from '../cluster.ts'
import type { Machine } from '../machine.ts'
import { down, followers, kill, type Loss, lasting, type Mend, nothing, one, SHOWS_MS } from './loss.ts'

/** How long nobody sees to a disk that is full. */
const DISK_FULL_MS = 5_000

/** Between two deaths of the nodes: HAProxy itself gives a call up a little later. */
const UNANSWERED_MS = 3_500

/** Every process of PostgreSQL on a machine but the postmaster, and none of Patroni. */
const backendsOf = ({ container }: Machine) => container.pidsOf('postgres: taps: ')
const postmasterOf = ({ container }: Machine) => container.pidsOf('/postgres -D ')

/** All of PostgreSQL on a machine stands still. */
async function freeze(machine: Machine): Promise<Mend> {
  const pids = [...(await postmasterOf(machine)), ...(await backendsOf(machine))]
  send('SIGSTOP', pids)
  return async () => send('SIGCONT', pids)
}

/** Patroni and its PostgreSQL, at once. */
async function databaseDown(machines: readonly Machine[]): Promise<Mend> {
  const mend = await down(machines, 'taps-database')
  for (const machine of machines) send('SIGKILL', await postmasterOf(machine))
  return mend
}

/** As an operator does it: with a candidate the third machine would wait for 2 s, and all commits for it. */
async function switchOver(cluster: Cluster, leader: Machine): Promise<void> {
  await cluster.patronictl(leader, 'switchover', '--leader', leader.name, '--force')
}

/** PostgreSQL and the Patroni that keeps it. */
export const DATABASES = {
  'PostgreSQL of the leader killed': {
    async strike(cluster) {
      send('SIGKILL', await postmasterOf(await cluster.awaitLeader()))
      return nothing
    },
    newLeader: true,
  },
  'PostgreSQL of the leader frozen': {
    strike: async cluster => freeze(await cluster.awaitLeader()),
    newLeader: true,
  },
  // What hangs in one node is sent to another, which hangs too: nobody may wait for more than two of them.
  'nodes killed while PostgreSQL is frozen': {
    async strike(cluster) {
      const mend = await freeze(await cluster.awaitLeader())
      for (let count = 0; count < 3; count += 1) {
        await sleep(UNANSWERED_MS)
        await kill(cluster.machines, 'taps')
      }
      return mend
    },
    newLeader: true,
  },
  'Patroni of the leader killed': {
    strike: async cluster => kill([await cluster.awaitLeader()], 'taps-database'),
  },
  switchover: {
    async strike(cluster) {
      await switchOver(cluster, await cluster.awaitLeader())
      return nothing
    },
    newLeader: true,
  },
  'a replica lost': {
    strike: async cluster => lasting(SHOWS_MS, databaseDown(one(await followers(cluster)))),
  },
  'both replicas lost': {
    strike: async cluster => databaseDown(await followers(cluster)),
    standstillMs: 5_000,
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
