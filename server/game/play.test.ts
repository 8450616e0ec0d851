import { describe, expect, test } from 'vitest'
import type { Recorded, Start } from '../../contract/api.ts'
import { toMs } from '../../contract/time.ts'
import type { Client } from '../../tests/support/client.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

describe('Start', () => {
  test('stamps the round in hand and repeats its target', async () => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const { status, body } = await guest.post('/api/rounds', { round: round.token })
    expect(status).toBe(201)
    expect(body).toEqual({ start: expect.any(String), target_time: round.target_time })
  })

  test('of an altered token is refused', async () => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const start = await guest.start(round)
    const altered = `${round.token.slice(0, -1)}${round.token.endsWith('A') ? 'Q' : 'A'}`
    for (const token of [altered, '', 'x', start, `${round.token}=`]) {
      const { body } = await guest.post('/api/rounds', { round: token })
      expect(body).toMatchObject({ status: 422, code: 'bad_token' })
    }
  })
})

describe('a name that comes with Start', () => {
  /** Starts a round under a name, then stops it under another one. */
  async function play(player: Client, atStart: string, atStop: string) {
    const { round } = await player.session()
    const { body } = await player.post<Start>('/api/rounds', { round: round.token, username: atStart })
    return player.post<Recorded>('/api/attempts', { ...attemptBody(body.start), username: atStop })
  }

  test.each(['Another', '', '<b>'])('is the one that counts, whatever Stop says: %j', async atStop => {
    const { status, body } = await play(world.newcomer(), '  Zoe\u0308  O’Hara ', atStop)
    expect(status).toBe(201)
    expect(body.attempt.username).toBe("Zo\u00eb O'Hara")
  })

  test("may be an account's: the guest is marked as one", async () => {
    await world.newcomer().createAccount('Named First', 'correct horse battery')
    const { body } = await play(world.newcomer(), 'Named First', 'Another')
    expect(body.attempt).toMatchObject({ username: 'Named First', is_guest: true })
  })

  test('does not count for an account, whose own name does, at Start and at Stop', async () => {
    const player = world.newcomer()
    await player.createAccount('Own Name', 'correct horse battery')
    for (const name of ['Another', 'Admin', '<b>']) {
      const { status, body } = await play(player, name, name)
      expect(status).toBe(201)
      expect(body.attempt).toMatchObject({ username: 'Own Name', is_guest: false })
    }
  })

  const TOLD = 'This name cannot be used here; please choose another'
  test.each([
    ['', 'blank_username', 'Please enter your name first!'],
    ['a\u202eb', 'bad_username', 'A name cannot contain invisible or control characters'],
    ['\ud800', 'bad_username', 'A name cannot contain invisible or control characters'],
    ['F-u-C-k', 'bad_username', TOLD],
    ['Admin', 'bad_username', TOLD],
  ])(
    'and is refused changes nothing, and is refused at Stop without one at Start: %j',
    async (username, code, title) => {
      const guest = world.newcomer()
      const { round } = await guest.session()
      const pool = await taps()
      const atStart = await guest.post('/api/rounds', { round: round.token, username })
      expect(atStart.body).toEqual({ status: 400, code, title })
      const atStop = await guest.post('/api/attempts', { ...attemptBody(await guest.start(round)), username })
      expect(atStop.body).toEqual({ status: 400, code, title })
      expect((await guest.session()).round).toEqual(round)
      expect(await taps()).toBe(pool)
      expect((await play(guest, 'Fine Now', 'Another')).status).toBe(201)
    },
  )

  test('is judged after the round: an altered one is refused first, then one that is stale', async () => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const altered = await guest.post('/api/rounds', { round: `${round.token}=`, username: '' })
    expect(altered.body).toMatchObject({ status: 422, code: 'bad_token' })
    const { body } = await guest.play(round, 500)
    const stale = await guest.post('/api/rounds', { round: round.token, username: '' })
    expect(stale.body).toMatchObject({ status: 409, code: 'stale_round', round: body.round })
  })
})

describe('Stop', () => {
  test('records the attempt and answers with it and the next round', async () => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const { status, body } = await guest.play(round, 234, '  Swift Otter 7 ')
    expect(status).toBe(201)
    expect(body).toEqual({
      attempt: {
        id: expect.any(Number),
        username: 'Swift Otter 7',
        is_guest: true,
        target_time: round.target_time,
        actual_time: (toMs(round.target_time) + 234) / 1_000,
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
    })
    expect(body.round.token).not.toBe(round.token)
  })

  test('makes a new player of nobody: a lone attempt never passes for another', async () => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const start = await guest.start(round)
    const stranger = world.newcomer()
    const { body } = await stranger.post<Recorded>('/api/attempts', attemptBody(start))
    expect(body).toMatchObject({ status: 409, code: 'stale_round' })
    expect(body.round).toEqual((await stranger.session()).round)
    expect((await guest.session()).round).toEqual(round)
  })

  test('sent again gets the same answer and records nothing more', async () => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const body = attemptBody(await guest.start(round))
    const first = await guest.post<Recorded>('/api/attempts', body)
    const pool = await taps()
    const again = await guest.post<Recorded>('/api/attempts', body)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    expect(await taps()).toBe(pool)
  })

  test.each(['a guest', 'an account'])(
    'of %s sent twice at once says the same of prize and round',
    async who => {
      const player = world.newcomer()
      let { round } = await player.session()
      if (who === 'an account') {
        ;({ round } = (await player.createAccount('Sent Twice', 'correct horse battery')).body)
      }
      const attempt = {
        start: await player.start(round),
        username: 'Sent Twice',
        actual_time: round.target_time,
      }
      const send = () => player.copy().post<Recorded>('/api/attempts', attempt)
      const [one, other] = await Promise.all([send(), send()])
      expect([one.status, other.status].sort()).toEqual([200, 201])
      expect(one.body.prize?.taps).toBeGreaterThan(0)
      expect(other.body.prize?.taps).toBe(one.body.prize?.taps)
      expect(other.body.round).toEqual(one.body.round)
    },
  )

  test('with an altered start is refused', async () => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const start = await guest.start(round)
    const altered = `${start[0] === 'A' ? 'B' : 'A'}${start.slice(1)}`
    for (const token of [altered, '', round.token, `${start} `]) {
      const { body } = await guest.post('/api/attempts', attemptBody(token))
      expect(body).toMatchObject({ status: 422, code: 'bad_token' })
    }
  })

  test.each([
    ['the shortest', 0.001],
    ['the longest', 600],
    ['one of three decimals', 4.567],
    ['a sum that binary cannot hold', 1.1 + 2.2],
  ])('takes %s time, %d s, to the millisecond', async (_, actual_time) => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const { status, body } = await guest.post<Recorded>('/api/attempts', {
      ...attemptBody(await guest.start(round)),
      actual_time,
    })
    expect(status).toBe(201)
    const ms = Math.round(actual_time * 1_000)
    expect(body.attempt.actual_time).toBe(ms / 1_000)
    expect(body.attempt.difference).toBe((ms - toMs(round.target_time)) / 1_000)
  })

  test.each([
    [-100, true],
    [100, true],
    [-101, false],
    [101, false],
  ])('%i ms from the target wins: %s', async (differenceMs, wins) => {
    const guest = world.newcomer()
    const before = await taps()
    const { body } = await guest.play((await guest.session()).round, differenceMs)
    expect(body.attempt.won_taps).toBe(wins ? before + 1 : null)
    expect(await taps()).toBe(wins ? 0 : before + 1)
  })
})

test('the own attempts are listed newest first, at most 30, and nobody else sees them', async () => {
  const guest = world.newcomer()
  let { round } = await guest.session()
  const ids: number[] = []
  for (let n = 0; n < 31; n += 1) {
    const { body } = await guest.play(round, 500 + n)
    ids.unshift(body.attempt.id)
    round = body.round
  }
  const { body } = await guest.get<{ attempts: { id: number }[] }>('/api/attempts/mine')
  expect(body.attempts.map(({ id }) => id)).toEqual(ids.slice(0, 30))
  expect((await world.newcomer().get('/api/attempts/mine')).body).toEqual({ attempts: [] })
})

test('the recent attempts are the five newest of everybody', async () => {
  const ids: number[] = []
  for (let n = 0; n < 6; n += 1) {
    const guest = world.newcomer()
    const { body } = await guest.play((await guest.session()).round, 500, `Guest ${n}`)
    ids.unshift(body.attempt.id)
  }
  const { body } = await world.newcomer().get<{ attempts: { id: number }[] }>('/api/attempts')
  expect(body.attempts.map(({ id }) => id)).toEqual(ids.slice(0, 5))
})

function attemptBody(start: string, actual_time = 2.345) {
  return { start, username: 'Test Player 1', actual_time }
}

async function taps(): Promise<number> {
  return (await world.newcomer().get<{ taps: number }>('/api/prize-pool')).body.taps
}
