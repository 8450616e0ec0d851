import { setTimeout as sleep } from 'node:timers/promises'
import { Machine } from './machine.ts'
import { openNetwork } from './network.ts'

const ADDRESSES = { one: '10.0.0.1', two: '10.0.0.2', three: '10.0.0.3' }
const POLL_MS = 100
/**
 * The timeout of a request to Patroni. A dead machine delays the search for the leader by this timeout.
 */
const ASK_TIMEOUT_MS = 1_000
/** The time allowed for a recovery of the cluster on a busy machine. */
const WHOLE_MAX_MS = 90_000

/** A member of the cluster, as Patroni reports it. */
export interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

type Machines = readonly [Machine, Machine, Machine]

/** Three machines that run all services of `deploy/ha`. */
export class Cluster {
  readonly machines: Machines

  private constructor(machines: Machines) {
    this.machines = machines
  }

  /**
   * Sets up a cluster, following the steps of deploy/ha/README.md.
   *
   * @param folder - The folder with the certificates of `run.sh`.
   * @param settings - Additional values for `machine.env`.
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

  /** Returns the members according to the first Patroni that answers; none while no Patroni answers. */
  async members(): Promise<Member[]> {
    const answers = this.machines.map(async machine => {
      const answer = await ask(machine, '/cluster')
      return ((await answer.json()) as { members: Member[] }).members
    })
    return Promise.any(answers).catch(() => [])
  }

  awaitLeader(): Promise<Machine> {
    return this.#ofLeader('no machine leads', machine => machine)
  }

  /** Waits for a timeline after `before`. A new leader starts a timeline, even on the same machine. */
  awaitTimeline(before = 0): Promise<number> {
    return this.#ofLeader(`no machine leads after timeline ${before}`, (_, { timeline = 0 }) =>
      timeline > before ? timeline : null,
    )
  }

  /** Waits until one machine leads, two follow and every node is ready. */
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

  patronictl(on: Machine, ...argv: readonly string[]): Promise<string> {
    return on.run(`/opt/patroni/bin/patronictl -c /etc/taps/patroni.yml ${argv.join(' ')}`)
  }

  async close(): Promise<void> {
    await Promise.all(this.machines.map(machine => machine.lose()))
  }

  /** Waits until `pick` returns a result for the leader. */
  #ofLeader<Result>(
    problem: string,
    pick: (machine: Machine, status: Status) => Result | null,
  ): Promise<Result> {
    return this.#until(problem, () => {
      const picked = this.machines.map(async machine => {
        const status = await statusAs('/primary', machine)
        return (status && pick(machine, status)) ?? Promise.reject(new Error(`Not ${machine.name}`))
      })
      return Promise.any(picked).catch(() => null)
    })
  }

  async #until<Result>(problem: string, find: () => Promise<Result | null>): Promise<Result> {
    const deadline = performance.now() + WHOLE_MAX_MS
    while (performance.now() < deadline) {
      const result = await find()
      if (result !== null) return result
      await sleep(POLL_MS)
    }
    throw new Error(`After ${WHOLE_MAX_MS} ms ${problem}: ${JSON.stringify(await this.members())}`)
  }
}

const isFollower = (role: string) => role.endsWith('standby')

function ask({ address }: Machine, path: string): Promise<Response> {
  return fetch(`https://${address}:8008${path}`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })
}

/** The fields of Patroni's status that these tests read. */
interface Status {
  /** The timeline of a leader; followers report none. */
  readonly timeline?: number
  /** Whether the machine works without etcd, or worked without etcd less than a lock's lifetime ago. */
  readonly failsafe_mode_is_active?: boolean
}

/** Reads the status from HAProxy's health check; returns null when the machine does not have this role. */
async function statusAs(role: '/primary' | '/replica', machine: Machine): Promise<Status | null> {
  const answer = await ask(machine, role).catch(() => null)
  return answer?.ok ? ((await answer.json()) as Status) : null
}

async function isReady(machine: Machine): Promise<boolean> {
  const readyStatus =
    'curl --silent --output /dev/null --max-time 2 --write-out "%{http_code}" http://127.0.0.1:3000/readyz || true'
  return (await machine.run(readyStatus).catch(() => '')) === '200'
}
