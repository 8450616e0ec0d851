import { setTimeout as sleep } from 'node:timers/promises'
import { Machine } from './machine.ts'
import { openNetwork } from './network.ts'

const ADDRESSES = { one: '10.0.0.1', two: '10.0.0.2', three: '10.0.0.3' }
const POLL_MS = 100
/** Above what a machine takes that is busy; how long a leader leads unseen when another one does not answer. */
const ASK_TIMEOUT_MS = 1_000
/** Within this everything has come back by itself, on a machine that is busy. */
const WHOLE_MAX_MS = 90_000

/** A member of the cluster, as Patroni knows it. */
export interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

type Machines = readonly [Machine, Machine, Machine]

/** Three machines with everything that `deploy/ha` is for. */
export class Cluster {
  readonly machines: Machines

  private constructor(machines: Machines) {
    this.machines = machines
  }

  /**
   * From three empty machines to a running cluster, in the steps of deploy/ha/README.md.
   *
   * @param folder with the certificates in it, by `run.sh`
   * @param settings what more is in `machine.env`
   */
  static async open(folder: string, settings: Readonly<Record<string, string>>): Promise<Cluster> {
    await openNetwork()
    const open = (name: keyof typeof ADDRESSES) => Machine.open(name, ADDRESSES[name], folder, settings)
    const machines = await Promise.all([open('one'), open('two'), open('three')])
    const cluster = new Cluster(machines)
    await Promise.all(machines.map(machine => machine.begin()))
    await cluster.whole()
    return cluster
  }

  /** The cluster as Patroni shows it, by the first that answers; nobody while none does. */
  async members(): Promise<Member[]> {
    const answers = this.machines.map(async machine => {
      const answer = await ask(machine, '/cluster')
      return ((await answer.json()) as { members: Member[] }).members
    })
    return Promise.any(answers).catch(() => [])
  }

  /** Waits for a leader and gives it. */
  awaitLeader(): Promise<Machine> {
    return this.#ofLeader('nobody leads', machine => machine)
  }

  /**
   * Waits until somebody leads on a later timeline than this, which counts the leaders that there have been: a machine may
   * follow itself.
   */
  awaitTimeline(later = 0): Promise<number> {
    return this.#ofLeader(`nobody leads after timeline ${later}`, (_, { timeline = 0 }) =>
      timeline > later ? timeline : null,
    )
  }

  /**
   * Waits until one leads, the others follow it and count for commits, and every node of the game is ready. After a loss of
   * etcd that takes another 20 s, in which Patroni's replicas keep to the leader that asked for their leave to go on.
   */
  async whole(): Promise<void> {
    await this.#until('the cluster is not whole', async () => {
      const following = (await this.members()).filter(
        ({ role, state }) => isFollower(role) && state === 'streaming',
      )
      const roles = this.machines.map(async machine => {
        const status = (await statusAs('/primary', machine)) ?? (await statusAs('/replica', machine))
        return status !== null && !status.failsafe_mode_is_active
      })
      const well = await Promise.all([...roles, ...this.machines.map(isReady)])
      return following.length === 2 && well.every(Boolean) ? well : null
    })
  }

  /** `patronictl` on a machine, as an operator uses it. */
  patronictl(on: Machine, ...words: readonly string[]): Promise<string> {
    return on.run(`/opt/patroni/bin/patronictl -c /etc/taps/patroni.yml ${words.join(' ')}`)
  }

  async close(): Promise<void> {
    await Promise.all(this.machines.map(machine => machine.lose()))
  }

  /** Waits until there is something to pick of a machine that leads. */
  #ofLeader<Result>(
    what: string,
    pick: (machine: Machine, status: Status) => Result | null,
  ): Promise<Result> {
    return this.#until(what, () => {
      const picked = this.machines.map(async machine => {
        const status = await statusAs('/primary', machine)
        return (status && pick(machine, status)) ?? Promise.reject(new Error(`Not ${machine.name}`))
      })
      return Promise.any(picked).catch(() => null)
    })
  }

  async #until<Result>(what: string, look: () => Promise<Result | null>): Promise<Result> {
    const deadline = performance.now() + WHOLE_MAX_MS
    while (performance.now() < deadline) {
      const result = await look()
      if (result !== null) return result
      await sleep(POLL_MS)
    }
    throw new Error(`After ${WHOLE_MAX_MS} ms ${what}: ${JSON.stringify(await this.members())}`)
  }
}

const isFollower = (role: string) => role.endsWith('standby')

function ask({ address }: Machine, path: string): Promise<Response> {
  return fetch(`https://${address}:8008${path}`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })
}

/** What Patroni says of one of its machines, as far as we ask. */
interface Status {
  /** That of a leader. */
  readonly timeline?: number
  /** It goes on without etcd, or did within the time of a lock. */
  readonly failsafe_mode_is_active?: boolean
}

/** As HAProxy asks; null when the machine is not in this role. */
async function statusAs(role: '/primary' | '/replica', machine: Machine): Promise<Status | null> {
  const answer = await ask(machine, role).catch(() => null)
  return answer?.ok ? ((await answer.json()) as Status) : null
}

/** Asks the node itself. */
async function isReady(machine: Machine): Promise<boolean> {
  const look =
    'curl --silent --output /dev/null --max-time 2 --write-out "%{http_code}" http://127.0.0.1:3000/readyz || true'
  return (await machine.run(look).catch(() => '')) === '200'
}
