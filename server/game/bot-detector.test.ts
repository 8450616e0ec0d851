import { describe, expect, test, vi } from 'vitest'
import type { Recorded, Round } from '../../contract/api.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { rounds, startedAt } from '../../tests/support/forgery.ts'
import { Random } from '../../tests/support/random.ts'
import { openWorld } from '../../tests/support/world.ts'
import { openBotDetector } from './bot-detector.ts'
import { clearFlag, flaggedPlayers, latestSeries } from './flags.ts'
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
  const players = await flaggedPlayers(world.pool)
  return players.some(({ player }) => player === playerOf(round))
}

/** A script whose 40 wins have been looked at; what was asked for before has been looked at as well then. */
async function flaggedScript(): Promise<{ script: CheckedClient; round: Round }> {
  const script = world.newcomer()
  const round = await play(script, (await script.session()).round, steady())
  await vi.waitFor(async () => expect(await isFlagged(round)).toBe(true), { timeout: 10_000 })
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

test('an attempt of a flagged player that is sent again gets the same answer', async () => {
  const { script, round } = await flaggedScript()
  const attempt = {
    start: await script.start(round),
    username: 'Twice',
    actual_time: round.target_time,
  }
  const first = await script.post<Recorded>('/api/attempts', attempt)
  const again = await script.post<Recorded>('/api/attempts', attempt)
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.body).toEqual(first.body)
})

test('an attempt that the clock speaks against as well says so: the clock comes first', async () => {
  const { script, round } = await flaggedScript()
  const start = startedAt(round, Date.now() + 700_000)
  const attempt = { start, username: 'Both', actual_time: round.target_time }
  const { body } = await script.post<Recorded>('/api/attempts', attempt)
  expect(body).toMatchObject({ reason: 'clock', verified: false })
  expect(body.attempt.won_taps).toBeNull()
})

test('a flag of one player is none of the others, in the same batch', async () => {
  const { script, round } = await flaggedScript()
  const guests = Array.from({ length: 10 }, () => world.newcomer())
  const others = await Promise.all(guests.map(async guest => (await guest.session()).round))
  const [mine, ...theirs] = await Promise.all([
    script.play(round, 0),
    ...guests.map((guest, n) => guest.play(others[n] ?? round, 0)),
  ])
  expect(mine?.body.reason).toBe('flagged')
  for (const { body } of theirs) {
    expect(body.reason).toBeNull()
    expect(body.attempt.won_taps).toBeGreaterThanOrEqual(1)
  }
})

test('a person is not flagged, however often they win', async () => {
  const draw = new Random(7)
  const person = world.newcomer()
  const attempts = Array.from({ length: 100 }, () => Math.round(draw.normal(20, 15)))
  const round = await play(person, (await person.session()).round, attempts)
  await flaggedScript()
  expect(await isFlagged(round)).toBe(false)
  expect((await person.play(round, 10)).body).toMatchObject({ reason: null })
})

test('a player who is steady but never wins is left alone', async () => {
  const unlucky = world.newcomer()
  const round = await play(
    unlucky,
    (await unlucky.session()).round,
    steady().map(ms => ms + 200),
  )
  await flaggedScript()
  expect(await isFlagged(round)).toBe(false)
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
  await vi.waitFor(async () => expect(await isFlagged(last)).toBe(true), { timeout: 10_000 })
})

test('of a long history only the last 40 attempts are read, oldest first', async () => {
  const guest = world.newcomer()
  const differences = Array.from({ length: STEADINESS_WINDOW + 3 }, (_, n) => 300 + n)
  const round = await play(guest, (await guest.session()).round, differences)
  const player = playerOf(round)
  expect(await latestSeries(world.pool, [player])).toEqual([
    { player, differencesMs: differences.slice(-40) },
  ])
})

describe('an account is judged by its own attempts and those of the guests it took over', () => {
  const PASSWORD = 'a long enough password'
  let accounts = 0

  /** An account, and the guests whose prizes it takes over, with what each plays before. */
  async function takeOver(...series: readonly (readonly number[])[]) {
    const name = `Taker ${accounts++}`
    const owner = world.newcomer()
    const { body } = await owner.createAccount(name, PASSWORD)
    const guests: { guest: CheckedClient; round: Round }[] = []
    for (const differences of series) {
      const guest = world.newcomer()
      const round = await play(guest, (await guest.session()).round, differences)
      guests.push({ guest, round })
      await guest.copy().login(name, PASSWORD)
    }
    return { owner, name, player: playerOf(body.round), round: body.round, guests }
  }

  /** The attempts of an account by which it is judged. */
  async function seriesOf(player: string): Promise<readonly number[]> {
    const [series] = await latestSeries(world.pool, [player])
    return series?.differencesMs ?? []
  }

  test('the latest 40 of all, in the order in which they were played', async () => {
    const [one, other] = [numbers(1, 30), numbers(31, 60)]
    const { owner, player, round } = await takeOver(one, other)
    await play(owner, round, [90, 91])
    expect(await seriesOf(player)).toEqual([...numbers(1, 60), 90, 91].slice(-STEADINESS_WINDOW))
  })

  test('a guest who won nothing is not among them, nor what a guest plays after the sign-in', async () => {
    const { player, guests } = await takeOver([300, 301], [10, 11])
    for (const { guest, round } of guests) await play(guest, round, [12])
    expect(await seriesOf(player)).toEqual([10, 11])
  })

  test('nor what was played before the flag of either was cleared', async () => {
    const { player } = await takeOver([10, 11], [20, 21])
    await world.sql('insert into flags (player, deviation_ms) values ($1, 1)', [player])
    expect(await seriesOf(player)).toEqual([])
    await clearFlag(world.pool, player)
    expect(await seriesOf(player)).toEqual([])

    const other = await takeOver([10, 11], [20, 21])
    const [cleared] = other.guests.map(({ round }) => playerOf(round))
    await world.sql('insert into flags (player, deviation_ms, cleared_at) values ($1, 1, now())', [cleared])
    expect(await seriesOf(other.player)).toEqual([20, 21])
  })

  test('a sign-in that brings the fortieth steady one is seen, and the flagged account takes nobody over', async () => {
    const half = steady(STEADINESS_WINDOW / 2)
    const { owner, name, round } = await takeOver(half, half)
    await vi.waitFor(async () => expect(await isFlagged(round)).toBe(true), { timeout: 10_000 })
    const before = (await owner.session()).prize
    const guest = world.newcomer()
    await play(guest, (await guest.session()).round, [60])
    const held = (await guest.session()).prize?.taps
    expect((await guest.copy().login(name, PASSWORD)).body.prize).toEqual(before)
    expect((await guest.session()).prize?.taps).toBe(held)
  })
})

const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, place) => first + place)

test('a look that fails is made up for by the next win', async () => {
  const guest = world.newcomer()
  const round = await play(
    guest,
    (await guest.session()).round,
    steady().map(ms => ms + 200),
  )
  const win = { player: playerOf(round), userId: null, round: STEADINESS_WINDOW }
  const onFlagged = vi.fn()
  const warn = vi.spyOn(world.game.app.log, 'warn')
  const botDetector = openBotDetector(world.pool, world.game.app.log, onFlagged)
  await world.sql('alter table flags rename to flags_away')
  botDetector.watch([win])
  await vi.waitFor(() => expect(warn).toHaveBeenCalled(), { timeout: 10_000 })
  await world.sql('alter table flags_away rename to flags')
  expect(onFlagged).not.toHaveBeenCalled()
  botDetector.watch([win])
  await vi.waitFor(() => expect(onFlagged).toHaveBeenCalledWith(1), { timeout: 10_000 })
  await botDetector.close()
  expect(await isFlagged(round)).toBe(true)
})

test('a flood of wins costs one look of 50 players a second, and what waits is bounded', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const looks = vi.spyOn(world.pool, 'query')
    const botDetector = openBotDetector(world.pool, world.game.app.log, () => undefined)
    const wins = Array.from({ length: 3_000 }, (_, n) => ({
      player: uuid(n),
      userId: null,
      round: STEADINESS_WINDOW,
    }))
    botDetector.watch(wins)
    for (let second = 1; second <= 25; second += 1) {
      await looks.mock.results.at(-1)?.value
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(looks).toHaveBeenCalledTimes(20)
    for (const [query] of looks.mock.calls) expect(query).toMatchObject({ values: [{ length: 50 }] })
    await botDetector.close()
  } finally {
    vi.useRealTimers()
  }
})

test('wins before the 40th attempt are not looked at', async () => {
  const looks = vi.spyOn(world.pool, 'query')
  const botDetector = openBotDetector(world.pool, world.game.app.log, () => undefined)
  botDetector.watch([{ player: uuid(1), userId: null, round: STEADINESS_WINDOW - 1 }])
  expect(looks).not.toHaveBeenCalled()
  await botDetector.close()
})

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

async function pool(): Promise<number> {
  return (await world.newcomer().get<{ taps: number }>('/api/prize-pool')).body.taps
}
