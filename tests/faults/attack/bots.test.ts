import { afterAll, expect, it, vi } from 'vitest'
import type { Claimed, PrizePool, Recorded, Round } from '../../../contract/api.ts'
import { Client } from '../../support/client.ts'
import { Random } from '../../support/random.ts'
import { report, SEED, sized } from '../../support/size.ts'
import { ownStage } from '../../support/stage.ts'

/** One less than what is looked at of one player; see `server/game/steadiness.ts`. */
const UNSEEN = 39
const GUESTS = sized(2, 12)
const PASSWORD = 'a long enough password'
/** A look takes place a second or two after it was asked for. */
const LOOKED = { timeout: 20_000, interval: 50 }

/** Without limits, which none of it would meet at the pace of the clock. */
const stage = ownStage()
const random = new Random(SEED)
const figures: Record<string, number> = {}

/** Plays rounds that end so many ms after their targets; how many of them won. */
async function play(client: Client, rounds: number, differenceMs: () => number): Promise<number> {
  let { round } = await client.session()
  let wins = 0
  for (let played = 0; played < rounds; played += 1) {
    const { body } = await client.play(round, differenceMs())
    if (body.attempt.won_taps !== null) wins += 1
    round = body.round
  }
  return wins
}

/** A new guest plays, signs in to an account and claims: how many wins that brought the account. */
async function playAsNewGuest(name: string, differenceMs: () => number): Promise<number> {
  const guest = new Client(stage.node.url)
  const wins = await play(guest, UNSEEN, differenceMs)
  await guest.login(name, PASSWORD)
  const { taps } = (await guest.post<Claimed>('/api/claim')).body
  return taps > 0 ? wins : 0
}

async function flags(): Promise<number> {
  const { rowCount } = await stage.auditor.read(pool => pool.query('select from flags'))
  return rowCount ?? 0
}

it(`hides nothing by a new guest every ${UNSEEN} rounds: the account that takes them over is flagged`, async () => {
  const [person, script] = [new Client(stage.node.url), new Client(stage.node.url)]
  await person.createAccount('Steady Person', PASSWORD)
  await script.createAccount('Patient Script', PASSWORD)
  const byHand = () => Math.round(random.normal(20, 25))
  const bySteadyScript = () => 60 + random.whole(-3, 3)

  for (let guest = 0; guest < 2; guest += 1) await playAsNewGuest('Steady Person', byHand)
  let claimed = 0
  for (let guest = 0; guest < GUESTS; guest += 1) {
    claimed += await playAsNewGuest('Patient Script', bySteadyScript)
    // The first guest's rounds are too few to say anything.
    if (guest === 1) await vi.waitFor(async () => expect(await flags()).toBe(1), LOOKED)
  }
  expect(claimed).toBe(2 * UNSEEN)
  Object.assign(figures, { 'rounds by steady guests': GUESTS * UNSEEN, claimed })

  const reasons = [person, script].map(async client => {
    return (await client.play((await client.session()).round, 50)).body.reason
  })
  expect(await Promise.all(reasons)).toEqual([null, 'flagged'])
})

/** As many sign-ins as are looked through for guests that an account took over. */
const SIGN_INS = 100

it.runIf(sized(false, true))('hides no winner behind sign-ins with a guest who holds nothing', async () => {
  const [owner, nobody] = [new Client(stage.node.url), new Client(stage.node.url)]
  await owner.createAccount('Busy Script', PASSWORD)
  await nobody.session()
  await playAsNewGuest('Busy Script', () => 60)
  for (let n = 0; n < SIGN_INS; n += 1) {
    expect((await nobody.copy().login('Busy Script', PASSWORD)).status).toBe(200)
  }
  const before = await flags()
  await playAsNewGuest('Busy Script', () => 60)
  await vi.waitFor(async () => expect(await flags()).toBe(before + 1), LOOKED)
})

it('hides no winner behind what a copy of the guest plays after the sign-in', async () => {
  await new Client(stage.node.url).createAccount('Noisy Script', PASSWORD)
  const guest = new Client(stage.node.url)
  await play(guest, UNSEEN, () => 60)
  const copy = guest.copy()
  await guest.login('Noisy Script', PASSWORD)
  await play(copy, UNSEEN + 1, () => random.whole(150, 900))
  const before = await flags()
  await playAsNewGuest('Noisy Script', () => 60)
  await vi.waitFor(async () => expect(await flags()).toBe(before + 1), LOOKED)
})

/** As of people who spread by a tenth of what they wait. */
const ATTEMPTS_PER_WIN = 8
const HONEST_ATTEMPTS = 2_000

/**
 * No rule is meant to stop this one, and the README says so: a round that was started is kept, up to ten minutes, and
 * stopped long after its target, when there is much to win.
 */
it.runIf(sized(false, true))('measures who stops only when the pool is rich', async () => {
  for (const rich of [8, 16, 32]) {
    const [player, sniper] = [new Client(stage.node.url), new Client(stage.node.url)]
    let kept = await keep(sniper, (await sniper.session()).round)
    let { round } = await player.session()
    const won = { honest: 0, sniper: 0, shots: 0 }
    for (let attempt = 0; attempt < HONEST_ATTEMPTS; attempt += 1) {
      const wins = random.next() < 1 / ATTEMPTS_PER_WIN
      const { body } = await player.play(round, wins ? random.whole(-100, 100) : random.whole(150, 900))
      won.honest += body.attempt.won_taps ?? 0
      round = body.round
      if ((await player.get<PrizePool>('/api/prize-pool')).body.taps < rich) continue
      const shot = await sniper.post<Recorded>('/api/attempts', kept)
      won.sniper += shot.body.attempt.won_taps ?? 0
      won.shots += 1
      kept = await keep(sniper, shot.body.round)
    }
    expect(won.sniper).toBeGreaterThan(won.shots * rich)
    const perAttempt = (taps: number, attempts: number) => Math.round((100 * taps) / attempts) / 100
    figures[`at ${rich}: shots`] = won.shots
    figures[`at ${rich}: TAPS a shot`] = perAttempt(won.sniper, won.shots)
    figures[`at ${rich}: TAPS an honest attempt`] = perAttempt(won.honest, HONEST_ATTEMPTS)
  }
})

/** Starts a round and keeps it: a stop that spreads like a hand's. */
async function keep(sniper: Client, round: Round) {
  const differenceMs = random.whole(-90, 90)
  const actual_time = (Math.round(round.target_time * 1_000) + differenceMs) / 1_000
  return { start: await sniper.start(round), username: 'Sniper', actual_time }
}

afterAll(() => report('bots', figures))
