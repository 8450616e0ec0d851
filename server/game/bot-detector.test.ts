import { expect, test, vi } from 'vitest'
import type { Round } from '../../contract/api.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { rounds } from '../../tests/support/forgery.ts'
import { openWorld } from '../../tests/support/world.ts'
import { clearFlag } from './bot-detector.ts'
import { STEADINESS_WINDOW } from './steadiness.ts'

const world = openWorld()

/** Plays rounds one after the other; the round after the last. */
async function play(client: CheckedClient, round: Round, differencesMs: readonly number[]): Promise<Round> {
  let next = round
  for (const differenceMs of differencesMs) next = (await client.play(next, differenceMs)).body.round
  return next
}

/** A script: 60 ms late, give or take 2 ms. */
const steady = (attempts = STEADINESS_WINDOW) => Array.from({ length: attempts }, (_, n) => 58 + (n % 5))

const playerOf = (round: Round) => rounds.readRound(round.token).player

async function isFlagged(round: Round): Promise<boolean> {
  const flags = await world.sql('select from flags where player = $1 and cleared_at is null', [
    playerOf(round),
  ])
  return flags.length > 0
}

/** A script whose 40 wins have been looked at; what was asked for before has been looked at as well then. */
async function flaggedScript(): Promise<{ script: CheckedClient; round: Round }> {
  const script = world.newcomer()
  const round = await play(script, (await script.session()).round, steady())
  await vi.waitFor(async () => expect(await isFlagged(round)).toBe(true), { timeout: 60_000 })
  return { script, round }
}

test('a script is flagged after 40 steady wins: the next one is recorded, wins nothing and says why', async () => {
  const { script, round } = await flaggedScript()
  const before = await pool()
  const { status, body } = await script.play(round, 60)
  expect(status).toBe(201)
  expect(body).toMatchObject({ reason: 'flagged', verified: true })
  expect(body.attempt).toMatchObject({ won_taps: null, taps_added: 1, verified: true })
  expect(await pool()).toBe(before + 1)
  const { attempts } = (await script.get<{ attempts: unknown[] }>('/api/attempts')).body
  expect(attempts[0]).toEqual(body.attempt)
})

test('what was won before stays won, and is claimed as ever', async () => {
  const { script, round } = await flaggedScript()
  const held = (await script.session()).prize?.taps
  const { body } = await script.play(round, 60)
  expect(body.prize?.taps).toBe(held)
  await script.createAccount('Flagged Script', 'a long enough password')
  expect((await script.post('/api/claim')).body).toMatchObject({ taps: held })
  const { body: next } = await script.play((await script.session()).round, 60)
  expect(next).toMatchObject({ reason: 'flagged', prize: null })
})

test('once cleared a player wins again, and only 40 more steady attempts flag them anew', async () => {
  const { script, round } = await flaggedScript()
  expect(await clearFlag(world.pool, playerOf(round))).toBe(true)
  expect(await clearFlag(world.pool, playerOf(round))).toBe(false)
  const { body } = await script.play(round, 60)
  expect(body.reason).toBeNull()
  expect(body.attempt.won_taps).toBeGreaterThanOrEqual(1)

  const later = await play(script, body.round, steady(STEADINESS_WINDOW - 2))
  await flaggedScript()
  expect(await isFlagged(later)).toBe(false)
  const last = await play(script, later, [60])
  await vi.waitFor(async () => expect(await isFlagged(last)).toBe(true), { timeout: 60_000 })
})

async function pool(): Promise<number> {
  return (await world.newcomer().get<{ taps: number }>('/api/prize-pool')).body.taps
}
