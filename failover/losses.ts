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
  /** Another machine has to lead while this lasts. */
  readonly movesLeader?: true
}

/** How long nobody sees to a disk that is full. */
const DISK_FULL_MS = 5_000

/** Whatever has to show after a loss that nobody should feel shows within this. */
const SHOWS_MS = 10_000
/** The same where the leader's lock runs out. */
const LOCK_MS = 25_000

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

/** What the page says to do when a machine will not come back, for a new one of its name. */
const REPLACE = `
  export ETCDCTL_API=3 ETCDCTL_ENDPOINTS=https://127.0.0.1:2379 ETCDCTL_CACERT=/etc/taps/tls/ca.crt
  export ETCDCTL_CERT=/etc/taps/tls/machine.crt ETCDCTL_KEY=/etc/taps/tls/machine.key
  until etcdctl endpoint health; do sleep 1; done
  etcdctl member remove "$(etcdctl member list | grep ", $0, " | cut -d, -f1)"
  until etcdctl endpoint health; do sleep 1; done
  etcdctl member add "$0" --peer-urls="https://$1:2380"`
const EXISTING = `
  rm -rf /var/lib/taps-etcd /var/lib/postgresql/15
  mkdir -p /etc/systemd/system/taps-etcd.service.d
  printf '[Service]\\nEnvironment=ETCD_INITIAL_CLUSTER_STATE=existing\\n' >/etc/systemd/system/taps-etcd.service.d/existing.conf`

/** Goes on for a while with what has happened. */
async function lasting(ms: number, mend: Promise<Mend>): Promise<Mend> {
  const happened = await mend
  await sleep(ms)
  return happened
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
  /** What everybody waits anyway. */
  nothing: {
    async strike() {
      await sleep(SHOWS_MS)
      return nothing
    },
  },
  'leader machine lost': {
    strike: async cluster => machineLost([await cluster.awaitLeader()]),
    movesLeader: true,
  },
  'leader machine frozen': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      await leader.freeze()
      return () => leader.wake()
    },
    movesLeader: true,
  },
  'leader cut off': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      await leader.cut()
      return () => leader.mend()
    },
    movesLeader: true,
  },
  'leader and a replica kept apart': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      const pair = [leader, ...one(cluster.others(leader))]
      await all(pair, machine => machine.keepApart(true))
      await sleep(SHOWS_MS)
      return () => all(pair, machine => machine.keepApart(false))
    },
  },
  'PostgreSQL of the leader killed': {
    async strike(cluster) {
      send('SIGKILL', await postmasterOf(await cluster.awaitLeader()))
      return nothing
    },
    movesLeader: true,
  },
  'PostgreSQL of the leader frozen': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      const pids = [...(await postmasterOf(leader)), ...(await postgresOf(leader))]
      send('SIGSTOP', pids)
      return async () => send('SIGCONT', pids)
    },
    movesLeader: true,
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
    movesLeader: true,
  },
  'replica machine lost': {
    strike: async cluster => lasting(SHOWS_MS, machineLost(one(await otherThan(cluster)))),
  },
  'a machine gone for good': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      const [gone = leader] = cluster.others(leader)
      await gone.lose()
      await gone.script(EXISTING)
      await leader.run('sh', '-euc', REPLACE, gone.name, gone.address)
      return () => gone.comeBack()
    },
  },
  'a replica lost': {
    strike: async cluster => lasting(SHOWS_MS, databaseDown(one(await otherThan(cluster)))),
  },
  'both replicas lost': {
    strike: async cluster => databaseDown(await otherThan(cluster)),
    standstillMs: 5_000,
  },
  'two machines lost': {
    strike: async cluster => machineLost(await otherThan(cluster)),
    standstillMs: 15_000,
  },
  'all machines lost': { strike: ({ machines }) => machineLost(machines), standstillMs: 1_000 },
  'one etcd lost': { strike: ({ machines }) => lasting(SHOWS_MS, down(one(machines), 'taps-etcd')) },
  // The leader leads on because both others say that they follow it.
  'two etcd lost': { strike: ({ machines }) => lasting(LOCK_MS, down(machines.slice(1), 'taps-etcd')) },
  'all etcd lost': { strike: ({ machines }) => lasting(LOCK_MS, down(machines, 'taps-etcd')) },
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
