import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Recorded, Round } from '../../contract/api.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { rounds } from '../../tests/support/forgery.ts'
import { openWorld } from '../../tests/support/world.ts'
import { deriveKeys } from '../lib/keys.ts'
import { readLedger } from './ledger.ts'
import { type CurrentRound, Rounds } from './rounds.ts'

const world = openWorld()

const stranger = new Rounds(deriveKeys('the secret of before, 32 characters or more'))

const roundToken = (round: CurrentRound, by = rounds) => by.issue(round).token
const startToken = (round: CurrentRound, at = Date.now(), by = rounds) => by.start(round, at).start

describe('over HTTP it is refused and has no effect', () => {
  let before: unknown
  let player: CheckedClient
  let round: Round
  let start: string

  beforeEach(async () => {
    player = world.newcomer()
    ;({ round } = await player.session())
    start = await player.start(round)
    before = await everything()
  })

  afterEach(async () => {
    expect(await everything()).toEqual(before)
    // The round is still there to be played, once.
    expect((await player.session()).round).toEqual(round)
    expect((await player.play(round, 500)).status).toBe(201)
  })

  /** What the world can see, and the books. */
  async function everything(): Promise<unknown> {
    const [pool, feed, board] = await Promise.all(
      ['/api/prize-pool', '/api/attempts', '/api/leaderboard'].map(path => player.get(path)),
    )
    const [counts] = await world.sql(
      'select (select count(*) from attempts) as attempts, (select count(*) from prizes) as prizes',
    )
    const ledger = await readLedger(world.pool)
    return { pool: pool?.body, feed: feed?.body, board: board?.body, counts, ledger }
  }

  const submit = (token: string, who = player, actual_time = round.target_time) =>
    who.post<Recorded>('/api/attempts', { start: token, username: 'Forger', actual_time })
  const begin = (token: string, who = player) => who.post('/api/rounds', { round: token })

  test('when a round is sent as a start, and a start as a round', async () => {
    expect((await submit(round.token)).body).toMatchObject({ status: 422, code: 'bad_token' })
    expect((await begin(start)).body).toMatchObject({ status: 422, code: 'bad_token' })
  })

  test('when sealed with a secret of before', async () => {
    const hand = rounds.readRound(round.token)
    const old = startToken(hand, Date.now(), stranger)
    expect((await begin(roundToken(hand, stranger))).body).toMatchObject({ status: 422, code: 'bad_token' })
    expect((await submit(old)).body).toMatchObject({ status: 422, code: 'bad_token' })
  })

  test("when it is another player's", async () => {
    const other = world.newcomer()
    const { round: theirs } = await other.session()
    const borrowed = await other.start(theirs)
    expect((await begin(theirs.token)).body).toMatchObject({ status: 409, code: 'stale_round', round })
    expect((await submit(borrowed)).body).toMatchObject({ status: 409, code: 'stale_round', round })
    expect((await submit(start, other)).body).toMatchObject({
      status: 409,
      code: 'stale_round',
      round: theirs,
    })
  })

  test('when it is older than ten minutes', async () => {
    const old = startToken(rounds.readRound(round.token), Date.now() - 601_000)
    expect((await submit(old)).body).toMatchObject({ status: 410, code: 'round_expired', round })
  })
})

describe('what was played before is refused and has no effect', () => {
  /** A player who has played two rounds, with what each of them was made of. */
  async function veteran() {
    const client = world.newcomer()
    let { round } = await client.session()
    const played: { round: Round; start: string; actual_time: number }[] = []
    for (const differenceMs of [400, 500]) {
      const start = await client.start(round)
      const actual_time = Math.round(round.target_time * 1_000 + differenceMs) / 1_000
      const { body } = await client.post<Recorded>('/api/attempts', {
        start,
        username: 'Veteran',
        actual_time,
      })
      played.push({ round, start, actual_time })
      round = body.round
    }
    return { client, played, round }
  }

  test('started again, or sent again with another time', async () => {
    const { client, played, round } = await veteran()
    const before = await readLedger(world.pool)
    for (const { round: old, start } of played) {
      expect((await client.post('/api/rounds', { round: old.token })).body).toMatchObject({
        code: 'stale_round',
        round,
      })
      for (const actual_time of [old.target_time, old.target_time + 0.001, 600]) {
        const { body } = await client.post('/api/attempts', { start, username: 'Veteran', actual_time })
        expect(body).toMatchObject({ status: 409, code: 'round_already_played', round })
      }
    }
    expect(await readLedger(world.pool)).toEqual(before)
    expect((await client.session()).round).toEqual(round)
  })

  test('sent again as it was, in any order, gets the answers of then', async () => {
    const { client, played, round } = await veteran()
    const before = await readLedger(world.pool)
    for (const { start, actual_time } of [...played].reverse()) {
      const answer = await client.post<Recorded>('/api/attempts', { start, username: 'Veteran', actual_time })
      expect(answer.status).toBe(200)
      expect(answer.body.attempt.actual_time).toBe(actual_time)
      expect(answer.body.round).toEqual(round)
    }
    expect(await readLedger(world.pool)).toEqual(before)
  })

  test('from before a logout', async () => {
    const client = world.newcomer()
    await client.session()
    const { body } = await client.createAccount('Leaver', 'a long enough password')
    const start = await client.start(body.round)
    await client.post('/api/logout')
    const { round } = await client.session()
    const before = await readLedger(world.pool)
    const attempt = { start, username: 'Leaver', actual_time: body.round.target_time }
    expect((await client.post('/api/attempts', attempt)).body).toMatchObject({ code: 'stale_round', round })
    expect((await client.post('/api/rounds', { round: body.round.token })).body).toMatchObject({
      code: 'stale_round',
      round,
    })
    expect(await readLedger(world.pool)).toEqual(before)
  })

  test('from before a sign-in to another player', async () => {
    const owner = world.newcomer()
    await owner.createAccount('Two Devices', 'a long enough password')
    const guest = world.newcomer()
    const start = await guest.start((await guest.session()).round)
    const { body } = await guest.login('Two Devices', 'a long enough password')
    const attempt = { start, username: 'Guest', actual_time: 2 }
    expect((await guest.post('/api/attempts', attempt)).body).toMatchObject({
      code: 'stale_round',
      round: body.round,
    })
  })
})

test('throwing guests away to fish for short targets is limited per address', async () => {
  const strict = await world.addNode({ rateLimits: true })
  const ask = () => world.newcomer(strict).get('/api/session')
  const { round } = await world.newcomer(strict).session()
  // Nothing is refilled while the clock stands: there would be one more for each six seconds that this takes.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  let guests = 1
  while ((await ask()).status === 200 && guests < 300) guests += 1
  expect(guests).toBeGreaterThanOrEqual(40)
  expect(guests).toBeLessThan(300)
  const { body, headers } = await world.newcomer(strict).post('/api/rounds', { round: round.token })
  vi.mocked(performance.now).mockRestore()
  expect(body).toMatchObject({ status: 429, code: 'too_many_requests' })
  expect(Number(headers.get('retry-after'))).toBe(6)
})
