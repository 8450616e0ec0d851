import { rm } from 'node:fs/promises'
import { createApp } from '../../server/app.ts'
import { openEmbeddedPostgres } from '../../server/database/embedded/embedded-postgres.ts'
import { migrate } from '../../server/database/migrate.ts'
import { openDatabase } from '../../server/database/pool.ts'
import { readEnv } from '../../server/env.ts'
import { withClient } from '../../tests/support/connect.ts'
import { childrenOf } from '../../tests/support/process.ts'
import { newDataDir, postmasterOf } from '../../tests/support/shared-postgres.ts'
import { alternate, type Measured, type Subject } from '../alternate.ts'
import { cpuSeconds } from '../cpu.ts'
import { Helper } from '../helper.ts'
import { privateBytes } from '../memory.ts'
import type { Figure, Part } from '../section.ts'
import { percentile, type Series } from '../series.ts'
import { keepTelling, play, type Tell, tellTime } from './changes.ts'
import type { Duty, Job } from './nodes.ts'

const PER_SECOND = 10
/** Each of twenty nodes tells of changes as often as a node does. */
const BUSY = { nodes: 50, perSecond: 200 }
/** So long that a hundredth of a second, which is how the system counts, is little. */
const SECONDS = 8
/** Each node has a connection that listens and up to ten for its reads. */
const MAX_CONNECTIONS = '700'
/** What is told last has so long to arrive. */
const ARRIVAL_S = 1
const HEARING = [1, 10, 50, 100]
/** More would only measure the process in which all of them are. */
const READING = [1, 10, 50]

/** What a run gives, with what each figure is called. */
const FIGURES = {
  p50: 'p50 until a change is known, ms',
  p95: 'p95, ms',
  postgres: "PostgreSQL's processor, ms a change",
  node: "a node's processor, ms a change",
  rest: "PostgreSQL's processor while nothing changes, % of a core",
  memory: 'memory of all of PostgreSQL by the number of nodes, MB',
}
type Name = keyof typeof FIGURES
/** What one process keeps up with. */
const NODES_OF_PROCESS: Readonly<Record<Duty, number>> = { hear: 100, read: 10 }

const NOTES = [
  `**How.** One PostgreSQL (the embedded one, fsync on) and ${PER_SECOND} changes a second unless another number is named,
${SECONDS} s a run. *Listening*: each node is a connection that listens, and a change is a NOTIFY with the time in it: from before
it is sent, its own flush to disk included, to its arrival at each node. *Reading*: each node is what one of the game is here,
with its own word every 5 s and, at most ten times a second, the three reads of pool, leaderboard and attempts; a change is an
attempt that is recorded and told of: from PostgreSQL's stamp, before the commit, to the end of the reads of each node. The limit
is one node. Ten nodes that read are one process, and so are all that listen; they share the two cores with PostgreSQL, so
nodes with machines of their own wait for less.`,
  `**What it says.** To hear costs next to nothing: PostgreSQL at most 0.02 ms for each change and node, a node as little. What a
node then reads is what costs, and still PostgreSQL only 0.4 to 0.7 ms: 50 nodes take a fifth to a third of a core of it at
ten changes a second, which is as often as a node reads however much is played. Two things grow faster. Each node that is
played on tells of changes itself, up to ten times a second, and all hear it: 50 such nodes are 500 notices a second and half a
core, 100 are three times as much (reckoned). And a node has up to 12 connections, 14 to 25 MB of PostgreSQL: 8 nodes are what its default
of 100 connections has room for, 50 want 600. So up to 50 nodes nothing belongs in between. Play itself needs no more than a
dozen, since all of it goes through the one row of the pool; what is beyond is for viewers, and from 50 on it should be nodes
that follow another node's \`/api/live\` and have no database at all, as \`bench/live/relay.ts\` does: PostgreSQL then sees a
dozen nodes, whoever looks. No node serves that way yet.`,
]

export const part: Part = {
  async run() {
    const stage = await Stage.open()
    try {
      const subjects = [
        ...HEARING.map(nodes => stage.subject('hear', nodes, PER_SECOND)),
        ...READING.map(nodes => stage.subject('read', nodes, PER_SECOND)),
        stage.subject('hear', BUSY.nodes, BUSY.perSecond),
      ]
      const runs = await alternate(subjects)
      const reading = runs.slice(HEARING.length, -1)
      const ofHearing = ['p50', 'p95', 'postgres', 'node'] as const
      return {
        title: 'What changes cost with many nodes',
        figures: [
          ...figuresOf(
            HEARING.map(nodes => `${nodes} listening`),
            runs.slice(0, HEARING.length),
            ofHearing,
          ),
          ...figuresOf(
            [`${BUSY.nodes} listening, ${BUSY.perSecond} changes a second`],
            runs.slice(-1),
            ofHearing,
          ),
          ...figuresOf(
            READING.map(nodes => `${nodes} reading`),
            reading,
            Object.keys(FIGURES) as Name[],
          ),
        ],
        notes: NOTES,
      }
    } finally {
      await stage.close()
    }
  },
}

function figuresOf(
  scenes: readonly string[],
  runs: readonly Readonly<Record<Name, Series>>[],
  names: readonly Name[],
): Figure[] {
  const [one] = runs
  return runs.flatMap((series, place) =>
    names.map((name, row): Figure => {
      const beginning = row === 0 ? `${scenes[place]}: ` : '… '
      const limit = place > 0 && one ? { limit: { name: 'one', values: one[name] } } : {}
      return { name: beginning + FIGURES[name], ours: series[name], ...limit }
    }),
  )
}

/** A PostgreSQL with a game, somebody who changes it, and the nodes. */
class Stage {
  readonly #dataDir: string
  readonly #postgres: Awaited<ReturnType<typeof openEmbeddedPostgres>>
  readonly #database: ReturnType<typeof openDatabase>
  readonly #processes: Helper<Job, number[]>[] = []

  private constructor(dataDir: string, postgres: Awaited<ReturnType<typeof openEmbeddedPostgres>>) {
    this.#dataDir = dataDir
    this.#postgres = postgres
    this.#database = openDatabase(postgres.connection, createApp(readEnv({ LOG_LEVEL: 'warn' })).log)
  }

  static async open(): Promise<Stage> {
    const dataDir = await newDataDir()
    const postgres = await openEmbeddedPostgres({
      dataDir,
      log: { info: () => undefined, warn: () => undefined },
      settings: { max_connections: MAX_CONNECTIONS },
    })
    await withClient(postgres.connection, client => migrate(client))
    return new Stage(dataDir, postgres)
  }

  subject(duty: Duty, nodes: number, perSecond: number): Subject<Name> {
    return {
      name: `${nodes} nodes that ${duty}, ${perSecond} changes a second`,
      measure: () => this.#measure(duty, nodes, perSecond),
    }
  }

  async #measure(duty: Duty, nodes: number, perSecond: number): Promise<Measured<Name>> {
    await this.#open(duty, nodes)
    const tell = { hear: tellTime, read: play }[duty](this.#database)
    // Every connection is there once it was needed.
    await this.#watch(tell, perSecond, 1)
    // Whoever only listens does nothing then.
    const quiet = duty === 'read' ? await this.#watch(tell, 0, SECONDS) : { postgres: 0 }
    const busy = await this.#watch(tell, perSecond, SECONDS)
    const memory = await privateBytes(await this.#backends())
    await this.#all({ act: 'leave' })
    const expected = busy.changes * nodes
    if (duty === 'hear' && busy.late.length !== expected)
      throw new Error(`${busy.late.length} of ${expected} were heard`)
    return {
      p50: percentile(busy.late, 0.5),
      p95: percentile(busy.late, 0.95),
      postgres: (busy.postgres / busy.changes) * 1_000,
      node: (busy.nodes / busy.changes / nodes) * 1_000,
      rest: (quiet.postgres / SECONDS) * 100,
      memory: memory / nodes / 2 ** 20,
    }
  }

  async #open(duty: Duty, nodes: number): Promise<void> {
    const { connection } = this.#postgres
    const perProcess = NODES_OF_PROCESS[duty]
    for (let opened = 0; opened < nodes; opened += perProcess) {
      const place = opened / perProcess
      this.#processes[place] ??= new Helper(new URL('nodes.ts', import.meta.url))
      const count = Math.min(perProcess, nodes - opened)
      await this.#processes[place]?.do({ act: 'open', connection, nodes: count, duty })
    }
  }

  /** How late the nodes know of changes, and what all have spent in so many seconds, in seconds of a core. */
  async #watch(tell: Tell, perSecond: number, seconds: number) {
    const backends = await this.#backends()
    const processes = this.#processes.map(({ pid }) => pid)
    const [postgresBefore, nodesBefore] = [await cpuSeconds(backends), await cpuSeconds(processes)]
    const watching = this.#all({ act: 'watch', seconds: seconds + ARRIVAL_S })
    const changes = await keepTelling(tell, perSecond, seconds)
    const late = (await watching).sort((one, other) => one - other)
    const [postgresAfter, nodesAfter] = [await cpuSeconds(backends), await cpuSeconds(processes)]
    return { late, changes, postgres: postgresAfter - postgresBefore, nodes: nodesAfter - nodesBefore }
  }

  async #all(job: Job): Promise<number[]> {
    return (await Promise.all(this.#processes.map(process => process.do(job)))).flat()
  }

  async #backends(): Promise<number[]> {
    const postmaster = await postmasterOf(this.#dataDir)
    return [postmaster, ...(await childrenOf(postmaster))]
  }

  async close(): Promise<void> {
    for (const process of this.#processes) await process.close()
    await this.#database.end()
    await this.#postgres.stop()
    await rm(this.#dataDir, { recursive: true, force: true })
  }
}
