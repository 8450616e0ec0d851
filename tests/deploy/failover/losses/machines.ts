import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine } from '../machine.ts'
import { all, followers, type Loss, lasting, type Mend, one, SHOWS_MS } from './loss.ts'

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

/** Whole machines, and what connects them. */
export const MACHINES = {
  'leader machine lost': {
    strike: async cluster => machineLost([await cluster.awaitLeader()]),
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
      const { cable } = await cluster.awaitLeader()
      await cable.cut()
      return () => cable.mend()
    },
    newLeader: true,
  },
  'leader and a replica kept apart': {
    async strike(cluster) {
      const leader = await cluster.awaitLeader()
      const pair = [leader, ...one(cluster.others(leader))]
      await all(pair, ({ cable }) => cable.keepApart(true))
      await sleep(SHOWS_MS)
      return () => all(pair, ({ cable }) => cable.keepApart(false))
    },
  },
  'replica machine lost': {
    strike: async cluster => lasting(SHOWS_MS, machineLost(one(await followers(cluster)))),
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
  'two machines lost': {
    strike: async cluster => machineLost(await followers(cluster)),
    standstillMs: 15_000,
  },
  'all machines lost': { strike: ({ machines }) => machineLost(machines), standstillMs: 1_000 },
} satisfies Readonly<Record<string, Loss>>
