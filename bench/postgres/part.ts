import { rm } from 'node:fs/promises'
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../server/database/embedded/embedded-postgres.ts'
import {
  debianPostgres,
  embeddedVersion,
  type OtherPostgres,
  packagedPostgres,
  urlOf,
} from '../../tests/deploy/postgres.ts'
import { endNodes, type ServerNode } from '../../tests/support/node.ts'
import { newDataDir, postmasterOf, SHARED_SECRET } from '../../tests/support/shared-postgres.ts'
import { alternate, type Subject } from '../alternate.ts'
import { cpuSeconds, familyOf } from '../cpu.ts'
import { Load } from '../load/load.ts'
import { requireAll } from '../rounds/audit.ts'
import { startGame } from '../rounds/stage.ts'
import type { Figure, Part } from '../section.ts'

const REPEATS = 5
const SECONDS = 3
/** Until the code is compiled and the database knows its statements. */
const WARM_UP_S = 2
const PLAYERS = 256
const CONNECTIONS = 128

/** What a run gives, with what each figure is called. */
const FIGURES = {
  rounds: 'rounds a second',
  postgres: "of PostgreSQL's processor, µs a round",
  server: "of the server's processor, µs a round",
  p99: 'p99 of a call, ms',
}

const NOTES = [
  `**How.** Each PostgreSQL with its own defaults, \`jit\` among them where it was built with LLVM, and fsync on; on each a server
and a crowd of 256 players over 128 connections, in turn. The limit is the embedded PostgreSQL in the run beside it. The short
part of it is a test (\`tests/deploy/postgres.test.ts\`); why the plans are the same everywhere is in
[decision 17](decisions/0017-plans.md).`,
]

/** A PostgreSQL with a server and a crowd of its own. */
class Contestant implements Subject<keyof typeof FIGURES> {
  readonly name: string
  readonly #dataDir: string
  readonly #postgres: EmbeddedPostgres
  readonly #node: ServerNode
  readonly #load: Load

  private constructor(
    name: string,
    dataDir: string,
    postgres: EmbeddedPostgres,
    node: ServerNode,
    load: Load,
  ) {
    this.name = name
    this.#dataDir = dataDir
    this.#postgres = postgres
    this.#node = node
    this.#load = load
  }

  static async open({ name, binaries }: Partial<OtherPostgres> & { name: string }): Promise<Contestant> {
    const dataDir = await newDataDir()
    const log = { info: () => undefined, warn: () => undefined }
    const postgres = await openEmbeddedPostgres({ dataDir, log, binaries })
    const node = await startGame({ DATABASE_URL: urlOf(postgres.connection), SECRET: SHARED_SECRET })
    const load = await Load.gather({
      seats: 'taps',
      url: node.url,
      players: PLAYERS,
      connections: CONNECTIONS,
    })
    const contestant = new Contestant(name, dataDir, postgres, node, load)
    await load.peak(WARM_UP_S)
    return contestant
  }

  async measure() {
    const postgres = await familyOf(await postmasterOf(this.#dataDir))
    const before = await this.#cpu(postgres)
    const run = await this.#load.peak(SECONDS)
    const after = await this.#cpu(postgres)
    await requireAll(this.#postgres.connection, run.acknowledged)
    const each = (seconds: number) => (seconds / run.rounds) * 1e6
    return {
      rounds: run.rounds / run.seconds,
      postgres: each(after.postgres - before.postgres),
      server: each(after.server - before.server),
      p99: run.calls.p99,
    }
  }

  async close(): Promise<void> {
    await this.#load.close()
    await this.#node.end('SIGTERM')
    await this.#postgres.stop()
    await rm(this.#dataDir, { recursive: true, force: true })
  }

  async #cpu(postgres: readonly number[]) {
    return { postgres: await cpuSeconds(postgres), server: await cpuSeconds([this.#node.pid]) }
  }
}

/** What a round costs on each PostgreSQL that is installed or that npm brings, beside the embedded one. */
export const part: Part = {
  async run() {
    const contestants: Contestant[] = []
    try {
      const embedded = { name: `the embedded ${await embeddedVersion()}` }
      for (const one of [embedded, ...(await debianPostgres()), ...(await packagedPostgres())]) {
        contestants.push(await Contestant.open(one))
      }
      const [limit, ...others] = await alternate(contestants, REPEATS)
      const figures = others.flatMap((series, place) =>
        Object.entries(FIGURES).map(([key, name]): Figure => {
          const of = key as keyof typeof FIGURES
          return {
            name: `${contestants[place + 1]?.name}: ${name}`,
            ours: series[of],
            ...(of === 'postgres' ? { wanted: '≤ 1.3 of the limit' } : {}),
            ...(limit ? { limit: { name: embedded.name, values: limit[of] } } : {}),
          }
        }),
      )
      return { title: 'A round on each PostgreSQL', figures, notes: NOTES }
    } finally {
      for (const contestant of contestants) await contestant.close()
      await endNodes()
    }
  },
}
