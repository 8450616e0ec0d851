import type { ServerNode } from '../../faults/node.ts'
import { childrenOf, postmasterOf } from '../../faults/postgres.ts'
import type { Connection } from '../../server/database/pool.ts'
import { alternate, type Subject } from '../alternate.ts'
import { cpuSeconds, familyOf } from '../cpu.ts'
import type { Load } from '../load/load.ts'
import { requireAll } from '../rounds/audit.ts'
import { RoundsStage } from '../rounds/stage.ts'
import type { Figure, Part } from '../section.ts'
import type { Series } from '../series.ts'
import { writtenBytes } from '../wal.ts'

const SECONDS = 5
const PLAYERS = 512
const CONNECTIONS = 256

/** Rounds a second, and what one of them costs: processor time of each program in µs, bytes in PostgreSQL's log. */
const MEASURES = {
  rounds: 'rounds a second',
  node: 'processor of Node for a round, µs',
  postgres: 'processor of PostgreSQL for a round, µs',
  crowd: 'processor of the crowd for a round, µs',
  wal: "bytes in PostgreSQL's log for a round",
} as const
type Measure = keyof typeof MEASURES

/** Servers on one PostgreSQL, and a crowd that is spread over them. */
interface Setup {
  readonly name: string
  readonly connection: Connection
  readonly nodes: readonly ServerNode[]
  readonly loads: readonly Load[]
}

export const part: Part = {
  async run() {
    const stage = await RoundsStage.open()
    try {
      const setups = [
        await setUp(stage, 'one process', 1, {}),
        await setUp(stage, 'two processes on one port', 1, { WORKERS: '2' }),
        await setUp(stage, 'two servers', 2, {}),
      ]
      const [one, onePort, twoServers] = await alternate(setups.map(setup => subject(stage, setup)))
      if (!one || !onePort || !twoServers) throw new Error('Each setup has been measured')
      return {
        title: 'Several processes',
        figures: [
          ...compare('two processes on one port', onePort, one),
          ...compare('two servers', twoServers, one),
        ],
        notes: [
          `The same crowd plays as fast as it can against one server of one process, one of two (\`WORKERS=2\`), and two servers
of one process each, each time in a database of their own in one PostgreSQL, one after the other. Servers, PostgreSQL and the crowd share the cores, so
more rounds a second can be had here only as far as some core was idle; what a round costs each of them says what they
would do with cores of their own (\`docs/scaling.md\`).`,
        ],
      }
    } finally {
      await stage.close()
    }
  },
}

async function setUp(
  stage: RoundsStage,
  name: string,
  servers: number,
  more: Record<string, string>,
): Promise<Setup> {
  // One of its own: every server reads each change of its database, whoever made it.
  const { connection, settings } = await stage.makeDatabase(name.replaceAll(' ', '_'))
  const nodes: ServerNode[] = []
  const loads: Load[] = []
  while (nodes.length < servers) {
    const node = await stage.startGame({ ...settings, ...more })
    const options = { players: PLAYERS / servers, connections: CONNECTIONS / servers }
    nodes.push(node)
    loads.push(await stage.gather({ seats: 'taps', url: node.url, ...options }))
  }
  return { name, connection, nodes, loads }
}

function subject({ postgres }: RoundsStage, { name, connection, nodes, loads }: Setup): Subject<Measure> {
  const spent = async () => ({
    node: await cpuSeconds((await Promise.all(nodes.map(withWorkers))).flat()),
    postgres: await cpuSeconds(await familyOf(await postmasterOf(postgres.dataDir))),
    wal: await writtenBytes(postgres.connection),
  })
  return {
    name,
    async measure() {
      const before = await spent()
      const runs = await Promise.all(loads.map(load => load.peak(SECONDS)))
      const after = await spent()
      for (const run of runs) await requireAll(connection, run.acknowledged)
      const rounds = runs.reduce((sum, run) => sum + run.rounds, 0)
      const crowd = runs.reduce((sum, run) => sum + run.cpuSeconds, 0)
      return {
        rounds: rounds / Math.max(...runs.map(run => run.seconds)),
        node: ((after.node - before.node) / rounds) * 1e6,
        postgres: ((after.postgres - before.postgres) / rounds) * 1e6,
        crowd: (crowd / rounds) * 1e6,
        wal: (after.wal - before.wal) / rounds,
      }
    },
  }
}

async function withWorkers({ pid }: ServerNode): Promise<number[]> {
  return [pid, ...(await childrenOf(pid))]
}

type Runs = Readonly<Record<Measure, Series>>

function compare(name: string, runs: Runs, one: Runs): Figure[] {
  return Object.entries(MEASURES).map(([key, words], place) => ({
    name: place === 0 ? `${name}: ${words}` : `… ${words}`,
    ours: runs[key as Measure],
    limit: { name: 'one process', values: one[key as Measure] },
  }))
}
