import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { PROBLEMS } from '../../contract/problems.ts'
import { Client } from '../../tests/support/client.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { until } from '../../tests/support/until.ts'
import { openWorld } from '../../tests/support/world.ts'
import type { Logger } from '../log.ts'
import type { Connection } from './connection.ts'
import { Outage, OutageError } from './outage.ts'

const world = openWorld()
const MINUTE_MS = 60_000
const ROLE = 'refused'
const PASSWORD = 'the password of the role'
const ACCOUNT = ['Waiting', 'correct horse battery'] as const
/** The longest time until an outage is logged, and until play is back. */
const LOGGED_MS = 10_000
const BACK_MS = 15_000
/** The connections of a node's pool. */
const CONNECTIONS = 10

interface LogLine {
  readonly level: number
  readonly msg: string
  readonly reason?: string
  readonly err?: object
}

/** Runs SQL as the database's owner. */
async function run(statements: readonly string[]): Promise<void> {
  for (const statement of statements) await world.sql(statement)
}

beforeAll(async () => {
  await run([
    `create role ${ROLE} login bypassrls password '${PASSWORD}'`,
    `grant all on schema public to ${ROLE}`,
    `grant all on all tables in schema public to ${ROLE}`,
    `grant all on all sequences in schema public to ${ROLE}`,
    'revoke usage on schema public from public',
  ])
})

afterAll(() => run([`drop owned by ${ROLE}`, `drop role ${ROLE}`]))

/** Opens a node whose role the tests refuse. `lines` collects its log. */
async function openNode() {
  const lines: LogLine[] = []
  const connection: Connection = { ...world.database.connection, user: ROLE, password: PASSWORD }
  const log = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const node = await world.addNode({ logFormat: 'json' }, log, connection)
  onTestFinished(() => node.close())
  return { node, lines }
}

/** Ends the connections of the node, as a provider does after a change. */
const DISCONNECT = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`

/** Sends calls of several kinds. Resolves with their failures, of which the attempt's is the first. */
async function failures(player: Client, start: string): Promise<string[]> {
  const answers = await Promise.all([
    player.post('/api/attempts', { start, username: 'Waiting', actual_time: 9 }),
    player.get('/api/session'),
    player.login(...ACCOUNT),
    player.get('/api/leaderboard'),
    player.get('/readyz'),
  ])
  const failed = answers.filter(({ status }, place) => place === 0 || status >= 500)
  return failed.map(({ status, headers }) => `${status}, retry after ${headers.get('retry-after')} s`)
}

async function prepare(node: TestGame) {
  const player = new Client(node.url)
  await player.createAccount(...ACCOUNT)
  const { start } = await player.start()
  return { player, start }
}

describe.each<[kind: string, begin: string[], end: string[], reason: RegExp]>([
  [
    'changed the password of the role',
    [`alter role ${ROLE} password 'another'`, DISCONNECT],
    [`alter role ${ROLE} password '${PASSWORD}'`],
    /^password authentication failed/,
  ],
  [
    'lets the role log in no longer',
    [`alter role ${ROLE} nologin`, DISCONNECT],
    [`alter role ${ROLE} login`],
    /not permitted to log in/,
  ],
  [
    'lets the role use the schema no longer',
    [`revoke usage on schema public from ${ROLE}`],
    [`grant usage on schema public to ${ROLE}`],
    /does not exist|permission denied/,
  ],
  [
    'lets the role use the tables no longer',
    [`revoke all on all tables in schema public from ${ROLE}`],
    [`grant all on all tables in schema public to ${ROLE}`],
    /^permission denied/,
  ],
  [
    'lost the row that is polled',
    ['alter table prize_pool rename to elsewhere'],
    ['alter table elsewhere rename to prize_pool'],
    /"prize_pool" does not exist/,
  ],
  [
    'lost a table that is not polled',
    ['alter table users rename to elsewhere'],
    ['alter table elsewhere rename to users'],
    /"users" does not exist/,
  ],
  [
    'lost a function',
    ['alter function record_batch rename to elsewhere'],
    ['alter function elsewhere rename to record_batch'],
    /^function record_batch\(.*\) does not exist/,
  ],
])('a database that %s', (_, begin, end, reason) => {
  test('is an outage: 503 for every call, one line in the log, and play afterwards', async () => {
    const { node, lines } = await openNode()
    const { player, start } = await prepare(node)
    await run(begin)
    try {
      const deadline = performance.now() + LOGGED_MS
      while (performance.now() < deadline && !lines.some(line => line.reason !== undefined)) {
        const failed = await failures(player, start)
        expect(failed).toEqual(failed.map(() => '503, retry after 1 s'))
      }
    } finally {
      await run(end)
    }
    const isPlayed = () => player.play(500).then(({ status }) => status === 201)
    await until('play', isPlayed, BACK_MS)
    const warnings = lines.filter(({ level }) => level > 30)
    expect(warnings).toEqual([expect.objectContaining({ reason: expect.stringMatching(reason) })])
    expect(warnings[0]).not.toHaveProperty('err')
  })
})

test('answers 500 without details, and logs the stack, for an error that is no outage', async () => {
  const { node, lines } = await openNode()
  const { player } = await prepare(node)
  await run(['alter table users rename column taps_balance to elsewhere'])
  const answer = await player
    .get('/api/leaderboard')
    .finally(() => run(['alter table users rename column elsewhere to taps_balance']))
  const { status, title } = PROBLEMS.internal
  expect(answer.body, 'no detail of the error').toEqual({
    status,
    title,
    code: 'internal',
    id: expect.any(String),
  })
  const line = await until('the line of the log', () => lines.find(({ level }) => level === 50))
  expect(line).toMatchObject({ err: { code: '42703', stack: expect.stringContaining('\n') } })
})

test('answers 503 once for each connection whose prepared statements a changed table made invalid', async () => {
  const { node, lines } = await openNode()
  const { player } = await prepare(node)
  await player.get('/api/leaderboard')
  await run(['alter table users alter column username type varchar(200)'])
  const answers: string[] = []
  while (answers.length <= CONNECTIONS && answers.at(-1) !== '200 null') {
    const { status, headers } = await player.get('/api/leaderboard')
    answers.push(`${status} ${headers.get('retry-after')}`)
  }
  expect(Array.from(new Set(answers))).toEqual(['503 1', '200 null'])
  await run(['alter table users alter column username type text'])
  expect(lines.filter(({ level }) => level === 50)).toEqual([])
})

describe('the log of an outage', () => {
  function open() {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const outage = new Outage()
    const written = vi.fn()
    const log = (...args: [unknown, ...unknown[]]) => outage.logMethod.call({} as Logger, args, written)
    return { outage, written, log }
  }

  const lineOf = (reason: string) => [{ reason }, expect.any(String)]
  const full = () => Object.assign(new Error('No space left on device'), { code: '53100' })

  test('has one line a minute, without a stack, until the database is back', () => {
    const { outage, written, log } = open()
    const line = lineOf('No space left on device')
    for (let n = 0; n < 100; n += 1) log({ err: full() }, 'a request could not be served')
    vi.advanceTimersByTime(1_000)
    log({ err: full() })
    vi.advanceTimersByTime(MINUTE_MS - 1)
    log({ err: full() })
    vi.advanceTimersByTime(1_001)
    expect(written.mock.calls).toEqual([line])
    log({ err: full() })
    vi.advanceTimersByTime(1_000)
    expect(written.mock.calls).toEqual([line, line])
    outage.end()
    log({ err: full() })
    outage.end()
    log({ err: new Error('a server error') }, 'a request failed')
    expect(written.mock.calls.slice(2)).toEqual([line, [{ err: expect.any(Error) }, 'a request failed']])
  })

  test('names the reason of the refused connections, not that connections were lost', () => {
    const { written, log } = open()
    const lost = () => {
      log({ err: Object.assign(new Error('terminating connection'), { code: '57P01' }) })
      log({ err: new Error('Connection terminated unexpectedly') })
    }
    lost()
    log({ err: new OutageError(Object.assign(new Error('too many connections'), { code: '53300' })) })
    lost()
    vi.advanceTimersByTime(1_000)
    expect(written.mock.calls).toEqual([lineOf('too many connections')])
  })
})
