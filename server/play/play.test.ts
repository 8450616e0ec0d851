import { describe, expect, test } from 'vitest'
import type { AttemptList, Recorded, Start } from '../../contract/api.ts'
import { toMs } from '../../contract/time.ts'
import type { Client } from '../../tests/support/client.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

describe('a name sent with Start', () => {
  /** Starts a round with one name and stops it with another. */
  async function play(player: Client, atStart: string, atStop: string) {
    const { round } = await player.session()
    const { body } = await player.post<Start>('/api/rounds', { round: round.token, username: atStart })
    return player.post<Recorded>('/api/attempts', { ...attemptBody(body.start), username: atStop })
  }

  test('is recorded in its normalised form, whatever name Stop sends', async () => {
    const { status, body } = await play(world.newcomer(), '  Zoe\u0308  O’Hara ', '<b>')
    expect(status).toBe(201)
    expect(body.attempt.username).toBe("Zo\u00eb O'Hara")
  })

  test('is ignored for an account; the username is recorded instead', async () => {
    const player = world.newcomer()
    await player.createAccount('Own Name', 'correct horse battery')
    const { status, body } = await play(player, 'Admin', '<b>')
    expect(status).toBe(201)
    expect(body.attempt).toMatchObject({ username: 'Own Name', is_guest: false })
  })
})

describe('Stop', () => {
  test('records the attempt, and gives the same answer when sent again', async () => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const attempt = {
      start: (await guest.start(round)).start,
      username: '  Swift Otter 7 ',
      actual_time: (toMs(round.target_time) + 234) / 1_000,
    }
    const first = await guest.post<Recorded>('/api/attempts', attempt)
    expect(first.status).toBe(201)
    expect(first.body).toEqual({
      attempt: {
        id: expect.any(Number),
        username: 'Swift Otter 7',
        is_guest: true,
        target_time: round.target_time,
        actual_time: attempt.actual_time,
        difference: 0.234,
        taps_added: 1,
        claimed: false,
        verified: true,
        won_taps: null,
        created_at: expect.any(String),
      },
      verified: true,
      reason: null,
      prize: null,
      round: { token: expect.any(String), target_time: expect.any(Number) },
      record: { rounds: 1, best: 0.234, streak: 0 },
    })
    expect(first.body.round.token).not.toBe(round.token)
    const again = await guest.post<Recorded>('/api/attempts', attempt)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
  })

  test('has no reason when an earlier release flagged the attempt', async () => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const attempt = {
      start: (await guest.start(round)).start,
      username: 'Steady',
      actual_time: round.target_time + 0.5,
    }
    const { id } = (await guest.post<Recorded>('/api/attempts', attempt)).body.attempt
    await world.sql("update attempts set reason = 'flagged' where id = $1", [id])
    const { body } = await guest.post<Recorded>('/api/attempts', attempt)
    expect(body).toMatchObject({ attempt: { id, verified: true }, verified: true, reason: null })
  })

  test.each([
    ['the shortest time', 0.001],
    ['the longest time', 600],
    ['a time with a binary rounding error', 1.1 + 2.2],
  ])('records %s to the millisecond: %d s', async (_, actual_time) => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const start = (await guest.start(round)).start
    const { status, body } = await guest.post<Recorded>('/api/attempts', attemptBody(start, actual_time))
    expect(status).toBe(201)
    const ms = Math.round(actual_time * 1_000)
    expect(body.attempt.actual_time).toBe(ms / 1_000)
    expect(body.attempt.difference).toBe((ms - toMs(round.target_time)) / 1_000)
  })
})

test('lists the five newest attempts of all players, and the 30 newest of a player', async () => {
  const guest = world.newcomer()
  const own: number[] = []
  for (let n = 0; n < 31; n += 1) {
    const { body } = await guest.play(500 + n)
    own.unshift(body.attempt.id)
  }
  const other = world.newcomer()
  const { body: newest } = await other.play(500)
  const list = async (client: Client, path: string) =>
    (await client.get<AttemptList>(path)).body.attempts.map(({ id }) => id)
  expect(await list(guest, '/api/attempts/mine')).toEqual(own.slice(0, 30))
  expect(await list(other, '/api/attempts')).toEqual([newest.attempt.id, ...own.slice(0, 4)])
  expect(await list(world.newcomer(), '/api/attempts/mine')).toEqual([])
})

function attemptBody(start: string, actual_time = 2.345) {
  return { start, username: 'Test Player 1', actual_time }
}
