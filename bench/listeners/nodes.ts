// A process full of what each node has to hear of changes with. It is told what to do and answers what came of it, one job
// after the other.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { LIVE_WRITES_PER_SECOND } from '../../contract/rules.ts'
import { createApp } from '../../server/app.ts'
import { type Connection, clientConfig, type Database, openDatabase } from '../../server/database/pool.ts'
import { readEnv } from '../../server/env.ts'
import { recentAttempts } from '../../server/game/attempts.ts'
import { leaderboard } from '../../server/game/leaderboard.ts'
import { prizePool } from '../../server/game/prizes.ts'
import { Throttle } from '../../server/lib/throttle.ts'
import { PubSub } from '../../server/live/pubsub.ts'
import { serveJobs } from '../helper.ts'
import { CHANNEL, exactNow } from './changes.ts'

/** What a node does about a change: hear of it, or read as well what it changed, as a node does for its viewers. */
export type Duty = 'hear' | 'read'

export type Job =
  | { act: 'open'; connection: Connection; nodes: number; duty: Duty }
  | { act: 'watch'; seconds: number }
  | { act: 'leave' }

/** As the game's nodes do after a read that failed. */
const RETRY_MS = 500

const { log } = createApp(readEnv({ LOG_LEVEL: 'warn' }))
/** How late each change was known to each node, ms. */
let late: number[] = []
let ends: (() => Promise<void>)[] = []

async function hear(connection: Connection): Promise<() => Promise<void>> {
  const client = new pg.Client(clientConfig(connection))
  client.on('notification', ({ payload }) => late.push(exactNow() - Number(payload)))
  await client.connect()
  await client.query(`listen ${CHANNEL}`)
  return () => client.end()
}

/** Listens as a node does, its own word included, and reads what a change changes. */
async function read(connection: Connection): Promise<() => Promise<void>> {
  const database = openDatabase(connection, log)
  const pubsub = new PubSub(connection, database, log)
  const readAll = newReader(database)
  const again = () => void setTimeout(() => reader.ask(), RETRY_MS)
  const reader = new Throttle(1_000 / LIVE_WRITES_PER_SECOND, () => readAll().catch(again))
  await pubsub.open()
  // Its connections are there before anybody is in a hurry.
  while (
    !(await readAll().then(
      () => true,
      () => false,
    ))
  )
    await sleep(RETRY_MS)
  pubsub.on('changed', () => reader.ask())
  return async () => {
    await reader.close()
    await pubsub.close()
    await database.end()
  }
}

/** Reads the three parts, and notes how old the newest attempt is when it is new. */
function newReader(database: Database): () => Promise<void> {
  let newest = 0
  return async () => {
    const bodies = [recentAttempts(database), prizePool(database), leaderboard(database)] as const
    const [{ attempts }] = await Promise.all(bodies)
    const [last] = attempts
    if (!last || last.id === newest) return
    newest = last.id
    late.push(exactNow() - Date.parse(last.created_at))
  }
}

async function open({ connection, nodes, duty }: Extract<Job, { act: 'open' }>): Promise<void> {
  const openOne = { hear, read }[duty]
  while (ends.length < nodes) ends.push(await openOne(connection))
}

async function watch(seconds: number): Promise<number[]> {
  late = []
  await sleep(seconds * 1_000)
  return late
}

async function leave(): Promise<void> {
  await Promise.all(ends.map(end => end()))
  ends = []
}

serveJobs(async (job: Job): Promise<number[]> => {
  if (job.act === 'watch') return watch(job.seconds)
  await (job.act === 'open' ? open(job) : leave())
  return []
})
