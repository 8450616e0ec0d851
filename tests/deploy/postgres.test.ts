import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connection } from '../../server/database/pool.ts'
import { Auditor } from '../support/audit.ts'
import { withClient } from '../support/connect.ts'
import { Crowd } from '../support/crowd.ts'
import { endNodes, ServerNode } from '../support/node.ts'
import { openOwnServer } from '../support/postgres.ts'
import { Random } from '../support/random.ts'
import { SHARED_SECRET } from '../support/shared-postgres.ts'
import { report, SEED, sized } from '../support/size.ts'
import {
  debianPostgres,
  embeddedVersion,
  OLDEST,
  type OtherPostgres,
  packagedPostgres,
  urlOf,
} from './postgres.ts'

const PLAYERS = 30
const ATTEMPTS = sized(300, 5_000)

/** What depends most on the database. */
const SOME = ['server/database/plans.test.ts', 'server/game/ledger.test.ts']
/** Everything that uses a database, but for what is about the embedded one. */
const ALL = ['server', '--exclude=server/database/embedded/**']
const SUITE_TIMEOUT_MS = 600_000
const SUITE_MAX_BYTES = 10_000_000

const debian = await debianPostgres()
const packaged = await sized(async () => [], packagedPostgres)()
const others = [...debian, ...packaged]
const names = [`the embedded ${await embeddedVersion()}`, ...others.map(({ name }) => name)]
process.stdout.write(`PostgreSQL: ${names.join(', ')}\n`)

/** Runs tests of the unit suite on a database; throws with what they said when one fails. */
async function runSuite(url: string, files: readonly string[]): Promise<void> {
  const options = ['run', '--maxWorkers=2', ...files]
  const run = promisify(execFile)(process.execPath, ['node_modules/vitest/vitest.mjs', ...options], {
    env: { ...process.env, DATABASE_URL: url },
    timeout: SUITE_TIMEOUT_MS,
    maxBuffer: SUITE_MAX_BYTES,
  })
  await run.catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`)
  })
}

test('no PostgreSQL that is too old for the game is tried', () => {
  expect(others.filter(({ binaries }) => Number(binaries.major) < OLDEST)).toEqual([])
})

describe.each(others)('$name', ({ name, binaries }: OtherPostgres) => {
  let connection: Connection
  let close = async () => {}

  beforeAll(async () => {
    const server = await openOwnServer(binaries)
    connection = server.connection
    close = server.close
  })

  afterAll(async () => {
    await endNodes()
    await close()
  })

  test('would compile what it is not told to leave alone, where it can', async context => {
    const query = (sql: string) => withClient(connection, client => client.query(sql))
    const { rows } = await query('select pg_jit_available() as available')
    if (!rows[0]?.available) context.skip()
    const options = urlOf(connection, '&options=-c%20jit_above_cost%3D0')
    const explained = await withClient({ connectionString: options }, client =>
      client.query('explain (analyze) select count(*) from pg_class'),
    )
    expect(explained.rows.map(row => row['QUERY PLAN'])).toContain('JIT:')
  })

  test('thirty players are all served at once, and the ledger holds', async () => {
    const node = await ServerNode.start({ DATABASE_URL: urlOf(connection), SECRET: SHARED_SECRET })
    const crowd = new Crowd({ players: PLAYERS, random: new Random(SEED), url: () => node.url })
    const began = performance.now()
    await crowd.more(ATTEMPTS)
    const seconds = (performance.now() - began) / 1_000
    await crowd.leave()
    const auditor = new Auditor(connection)
    const found = {
      wrongs: crowd.wrongs,
      refused: [...crowd.statuses.keys()].filter(status => status === 'lost' || status >= 300),
      lost: await auditor.lost(crowd.acknowledged),
      unbalanced: await auditor.unbalanced(),
      contradictions: await auditor.contradictions(),
    }
    await auditor.close()
    await node.end('SIGTERM')
    report(name, {
      attempts: crowd.acknowledged.length,
      seconds: seconds.toFixed(1),
      refused: found.refused.length,
    })
    expect(found).toEqual({ wrongs: [], refused: [], lost: [], unbalanced: null, contradictions: [] })
  })

  test('passes the tests of what depends on it', async () => {
    const files = debian.some(other => other.name === name) ? sized(SOME, ALL) : SOME
    await runSuite(urlOf(connection), files)
  })
})
