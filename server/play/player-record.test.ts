import { describe, expect, test } from 'vitest'
import type { MyAttemptList, PlayerRecord } from '../../contract/api.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { rounds, startedAt } from '../../tests/support/forgery.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'
const NONE: PlayerRecord = { rounds: 0, best: null, streak: 0 }

/** Plays a round whose Stop comes before its time has passed on the server. */
async function playTooEarly(client: CheckedClient, differenceMs: number) {
  const { round } = await client.session()
  const start = startedAt(round, Date.now() + 3_600_000)
  return client.stop({ start, target_time: round.target_time }, differenceMs)
}

/** Returns the record, which the session and the own attempts must agree on. */
async function recordOf(client: CheckedClient): Promise<PlayerRecord> {
  const { record } = await client.session()
  expect((await client.get<MyAttemptList>('/api/attempts/mine')).body.record).toEqual(record)
  return record
}

async function idOf(client: CheckedClient): Promise<string> {
  return rounds.readRound((await client.session()).round.token).playerId
}

test('counts rounds, keeps the smallest verified difference, and counts the verified wins since the last miss', async () => {
  const guest = world.newcomer()
  expect(await recordOf(guest)).toEqual(NONE)
  const steps: readonly [differenceMs: number, isVerified: boolean, best: number | null, streak: number][] = [
    [20, false, null, 0],
    [-300, true, 0.3, 0],
    [100, true, 0.1, 1],
    [-100, true, 0.1, 2],
    [900, false, 0.1, 2],
    [0, false, 0.1, 2],
    [-42, true, 0.042, 3],
    [101, true, 0.042, 0],
    [0, true, 0, 1],
  ]
  for (const [place, [differenceMs, isVerified, best, streak]] of steps.entries()) {
    const { body } = await (isVerified ? guest.play(differenceMs) : playTooEarly(guest, differenceMs))
    const record = { rounds: place + 1, best, streak }
    expect(body).toMatchObject({ verified: isVerified, record })
    expect(await recordOf(guest)).toEqual(record)
  }
})

test('stays with the player at a sign-up, on all devices of the user, and is not merged at a login', async () => {
  const guest = world.newcomer()
  await guest.play(50)
  await guest.createAccount('Recorder', PASSWORD)
  await guest.play(80)
  const record = { rounds: 2, best: 0.05, streak: 2 }
  expect(await recordOf(guest)).toEqual(record)
  const device = world.newcomer()
  await device.play(1)
  await device.login('Recorder', PASSWORD)
  expect(await recordOf(device)).toEqual(record)
  await device.post('/api/logout')
  expect(await recordOf(device)).toEqual(NONE)
  await guest.post('/api/users/delete', { password: PASSWORD })
  expect(await recordOf(guest)).toEqual(NONE)
})

describe('the answer to a Stop that is sent again', () => {
  async function playTwice() {
    const guest = world.newcomer()
    const start = await guest.start()
    const first = await guest.stop(start, 50)
    await guest.play(-400)
    return { guest, first, again: () => guest.stop(start, 50) }
  }

  test('has the record that the first answer had', async () => {
    const { first, again } = await playTwice()
    expect(first.body.record).toEqual({ rounds: 1, best: 0.05, streak: 1 })
    expect((await again()).body.record).toEqual(first.body.record)
  })

  test('has the newest record when the attempt is of an earlier release, which kept none', async () => {
    const { guest, first, again } = await playTwice()
    await world.sql('update attempts set best = null, streak = null where id = $1', [first.body.attempt.id])
    expect((await again()).body.record).toEqual(await recordOf(guest))
  })
})

describe('continues', () => {
  test('across missing rounds, which a restore can leave', async () => {
    const guest = world.newcomer()
    await guest.play(50)
    const round = { ...rounds.next(await idOf(guest), { id: 0, round: 6 }), number: 7 }
    const start = rounds.start(round, Date.now())
    expect((await guest.stop(start, 70)).body.record).toEqual({ rounds: 7, best: 0.05, streak: 2 })
    expect((await guest.play(60)).body.record).toEqual({ rounds: 8, best: 0.05, streak: 3 })
  })
})
