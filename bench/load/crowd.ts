// Simulates many players in a separate process, each on a keep-alive connection.

import { setTimeout as sleep } from 'node:timers/promises'
import { toMs } from '../../contract/time.ts'
import type { Acknowledged } from '../../tests/support/audit.ts'
import { Random } from '../../tests/support/random.ts'
import { serveJobs } from '../helper.ts'
import { percentile } from '../section.ts'
import { LoadPlayer } from './player.ts'

/** The seed of all random choices, fixed so that every run makes the same choices. */
const SEED = 6
/** The standard deviation of people's stops on a hidden clock, as a share of the target time. */
const SPREAD = 0.1
/** The time from Start to Stop at a fixed rate. A larger value would only require more players. */
const HOLD_MS = 20

/** One run of the load. Players join in the first run and keep their cookies. */
export interface LoadJob {
  readonly url: string
  readonly players: number
  /** Rounds per second; `peak` means as many rounds as the server can answer. */
  readonly rate: number | 'peak'
  readonly seconds: number
}

export interface LoadRun {
  readonly acknowledged: readonly Acknowledged[]
  readonly seconds: number
  /** Percentiles of the answer times of all Starts and Stops, in ms. */
  readonly p50: number
  readonly p99: number
}

/** Returns the next round's due time (monotonic ms) and duration; null after the last round. */
type Schedule = () => { readonly dueAt: number; readonly holdMs: number } | null

const random = new Random(SEED)
let players: readonly LoadPlayer[] | undefined

serveJobs<LoadJob, LoadRun>(async ({ url, players: count, rate, seconds }) => {
  players ??= await Promise.all(Array.from({ length: count }, () => LoadPlayer.join(url)))
  const acknowledged: Acknowledged[] = []
  const timings: number[] = []
  const began = performance.now()
  const next = rate === 'peak' ? closedLoop(began, seconds) : openLoop(began, seconds, rate)
  await Promise.all(players.map(player => play(player, next, timings, acknowledged)))
  const tookS = (performance.now() - began) / 1_000
  return { acknowledged, seconds: tookS, p50: percentile(timings, 0.5), p99: percentile(timings, 0.99) }
})

/** Schedules each round immediately, so that players play as fast as the server answers. */
function closedLoop(began: number, seconds: number): Schedule {
  return () => {
    const dueAt = performance.now()
    return dueAt < began + seconds * 1_000 ? { dueAt, holdMs: 0 } : null
  }
}

/**
 * Schedules rounds at a fixed rate. Times each call from its due time, so that the figures include delays
 * behind a stalled call.
 */
function openLoop(began: number, seconds: number, rate: number): Schedule {
  let rounds = 0
  return () => {
    if (rounds >= rate * seconds) return null
    rounds += 1
    return { dueAt: began + ((rounds - 1) / rate) * 1_000, holdMs: HOLD_MS }
  }
}

/** Plays rounds until the schedule ends. Any free player takes the next round. */
async function play(
  player: LoadPlayer,
  next: Schedule,
  timings: number[],
  acknowledged: Acknowledged[],
): Promise<void> {
  for (let round = next(); round !== null; round = next()) {
    const { dueAt, holdMs } = round
    await until(dueAt)
    const start = await player.start()
    const startedAt = performance.now()
    timings.push(startedAt - dueAt)
    const stopDueAt = Math.max(startedAt, dueAt + holdMs)
    await until(stopDueAt)
    const differenceMs = Math.round(random.normal(0, SPREAD * toMs(start.target_time)))
    const { attempt } = (await player.stop(start, differenceMs)).body
    timings.push(performance.now() - stopDueAt)
    const { id, target_time, actual_time, won_taps } = attempt
    acknowledged.push({ id, target_time, actual_time, won_taps })
  }
}

async function until(at: number): Promise<void> {
  const left = at - performance.now()
  if (left > 0) await sleep(left)
}
