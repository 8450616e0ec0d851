import { readFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import type { Recorded, Start } from '../contract/api.ts'
import { Client } from '../server/testing/client.ts'
import { Dice } from '../server/testing/dice.ts'
import { Viewer } from '../server/testing/viewer.ts'
import { Crowd } from './crowd.ts'
import { LedgerWatch } from './ledger-watch.ts'
import { ServerNode } from './node.ts'
import { childrenOf, hasEnded, postmasterOf, send } from './postgres.ts'
import { report, SEED, sized } from './size.ts'
import { ownStage } from './stage.ts'
import { expectNothingLost } from './verdict.ts'
import { Wire } from './wire.ts'

const WORKERS = 2
const KILLS = sized(1, 60)
/** Of workers that are just taking connections: each hung one with an even chance while the primary handed them out. */
const RUSH_KILLS = sized(3, 20)
/** Attempts acknowledged between two kills. */
const LULL: readonly [number, number] = sized([50, 150], [350, 850])
const PLAYERS = 20
const READ_PAUSE_MS = 25
/** The workers take about as many connections each: so many are never all on one. */
const COMERS = 32
/** Far above what a new connection waits for its answer. */
const ANSWER_MS = 20_000
/** Far above what a worker takes to start. */
const PATIENCE = { timeout: 30_000, interval: 10 }

const dice = new Dice(SEED)
const stage = ownStage({ WORKERS: `${WORKERS}`, PRIZE_HOLD_MINUTES: '600', LOG_LEVEL: 'info' })

/** The workers of a server, without its database. */
async function workersOf(node: ServerNode): Promise<number[]> {
  const children = await childrenOf(node.pid)
  const commands = await Promise.all(
    children.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return children.filter((_, place) => commands[place]?.includes('worker.js'))
}

/** Kills one worker without a warning; resolves when it is gone. */
async function killOne(): Promise<void> {
  const [pid = 0] = dice.shuffle(await workersOf(stage.node))
  send('SIGKILL', [pid])
  await vi.waitUntil(async () => !(await workersOf(stage.node)).includes(pid), PATIENCE)
}

/** Until everybody who was killed so far has been replaced by somebody who serves. */
async function replaced(): Promise<void> {
  const words = (pattern: RegExp) => stage.node.output.match(pattern)?.length ?? 0
  const all = () => words(/a worker ended;/g) === words(/the worker was replaced/g)
  await vi.waitUntil(async () => (await workersOf(stage.node)).length === WORKERS && all(), PATIENCE)
}

/** Somebody with a connection of their own, which one worker has. */
async function arrive() {
  const browser = new Client(stage.node.url)
  const { round } = await browser.session()
  const wire = await Wire.open(stage.node.url)
  const { start } = await post<Start>(wire, browser, '/api/rounds', { round: round.token })
  return { browser, wire, round, attempt: { start, username: 'Traveller', actual_time: 9 } }
}

async function post<Body>(wire: Wire, { cookies }: Client, path: string, json: unknown): Promise<Body> {
  wire.prepare(path, Array.from(cookies, pair => pair.join('=')).join('; '), json)
  wire.release()
  const { status, body } = await wire.answer()
  if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
  return body as Body
}

it('stops a round on another worker than the one it was started on, which is gone by then', async () => {
  const travellers: Awaited<ReturnType<typeof arrive>>[] = []
  while (travellers.length < COMERS) travellers.push(await arrive())
  await killOne()
  // By then everybody whom that worker had knows that it is gone.
  await replaced()
  const stayed = travellers.find(({ wire }) => wire.isOpen)
  const left = travellers.find(({ wire }) => !wire.isOpen)
  if (!stayed || !left) throw new Error('All were on one worker')
  const recorded = await post<Recorded>(stayed.wire, left.browser, '/api/attempts', left.attempt)
  expect(recorded.attempt).toMatchObject({ actual_time: 9, target_time: left.round.target_time })
  for (const { wire } of travellers) wire.close()
})

it('leaves nobody without an answer who comes in the moment in which a worker is killed', async () => {
  let coming = true
  const leftWaiting: unknown[] = []
  const ask = async () => {
    const signal = AbortSignal.timeout(ANSWER_MS)
    const answer = await fetch(`${stage.node.url}/healthz`, { headers: { connection: 'close' }, signal })
    await answer.text()
  }
  const come = async () => {
    while (coming) {
      await ask().catch((error: unknown) => {
        // A connection that breaks is an end as well; one that hangs is none.
        if (!(error instanceof TypeError)) leftWaiting.push(error)
      })
    }
  }
  const comers = Promise.all(Array.from({ length: COMERS }, come))
  try {
    for (let kill = 0; kill < RUSH_KILLS; kill += 1) {
      await killOne()
      await replaced()
    }
  } finally {
    coming = false
    await comers
  }
  expect(leftWaiting).toEqual([])
})

describe('a server of several workers', () => {
  async function watch(): Promise<Viewer[]> {
    const viewers: Viewer[] = []
    while (viewers.length < COMERS) viewers.push(await Viewer.open(stage.node.url))
    return viewers
  }

  it('shows every change to the viewers of every worker', async () => {
    const viewers = await watch()
    const browser = new Client(stage.node.url)
    const { body } = await browser.play((await browser.session()).round, 500)
    const seen = (viewer: Viewer) => viewer.latest('attempts')?.attempts[0]?.id === body.attempt.id
    await vi.waitUntil(() => viewers.every(seen), PATIENCE)
    let ended = 0
    for (const viewer of viewers) {
      void viewer.ended.then(() => {
        ended += 1
      })
    }
    await killOne()
    await vi.waitUntil(() => ended > 0, PATIENCE)
    await replaced()
    // Those of one worker, and no others.
    expect(ended).toBeLessThan(viewers.length)
    for (const viewer of viewers) await viewer.close()
  })

  it('adds up the figures of its workers, whichever is asked', async () => {
    const viewers = await watch()
    const figures = async () => {
      const wires = Array.from({ length: WORKERS }, () => fetch(`${stage.node.url}/metrics`))
      const texts = await Promise.all((await Promise.all(wires)).map(answer => answer.text()))
      return texts.map(text => /^taps_viewers (\d+)$/m.exec(text)?.[1])
    }
    await vi.waitUntil(async () => (await figures()).every(count => count === `${COMERS}`), PATIENCE)
    for (const viewer of viewers) await viewer.close()
  })

  it('replaces workers that are killed, and loses nothing that was acknowledged', async () => {
    const before = await stage.auditor.attempts()
    const crowd = new Crowd({ players: PLAYERS, dice, url: () => stage.node.url })
    const watch = new LedgerWatch(stage.auditor, READ_PAUSE_MS)
    let slowestMs = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      await crowd.more(dice.whole(...LULL))
      const killedAt = performance.now()
      await killOne()
      await replaced()
      slowestMs = Math.max(slowestMs, Math.round(performance.now() - killedAt))
      await crowd.more(2 * PLAYERS)
    }
    const figures = await expectNothingLost(crowd, watch, stage.auditor, before)
    report('workers', { kills: KILLS, 'slowest replacement ms': slowestMs, ...figures })
  })

  it('ends with all its workers and its database when it is told to', async () => {
    const viewers = await watch()
    const everybody = [...(await workersOf(stage.node)), await postmasterOf(stage.dataDir)]
    expect(everybody).toHaveLength(WORKERS + 1)
    await stage.node.end('SIGTERM')
    await Promise.all(viewers.map(viewer => viewer.ended))
    expect(await Promise.all(everybody.map(hasEnded))).toEqual(everybody.map(() => true))
  })
})

describe('workers with limits', () => {
  const limited = ownStage({ WORKERS: `${WORKERS}`, RATE_LIMITS: 'on' })
  /** The burst of the limit on addresses that do not exist, less what the refills may add. */
  const MISSES = 58
  /** With counts of their own, the workers would let through as many again. */
  const FEW = 30

  it('count them together', async () => {
    const miss = async () =>
      (await fetch(`${limited.node.url}/nothing-here`, { headers: { connection: 'close' } })).status
    for (let n = 0; n < MISSES; n += 1) expect(await miss()).toBe(404)
    let more = 0
    const refused = async () => {
      more += 1
      return (await miss()) === 429
    }
    await vi.waitUntil(refused, PATIENCE)
    expect(more).toBeLessThan(FEW)
  })

  it('are gone with their server when that is killed, so that the next one finds its place free', async () => {
    const workers = await workersOf(limited.node)
    expect(workers).toHaveLength(WORKERS)
    await limited.node.end('SIGKILL')
    await vi.waitUntil(async () => (await Promise.all(workers.map(hasEnded))).every(Boolean), PATIENCE)
    limited.node = await ServerNode.start(limited.settings())
    expect((await fetch(`${limited.node.url}/readyz`)).status).toBe(200)
  })
})
