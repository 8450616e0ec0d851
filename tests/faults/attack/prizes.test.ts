import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Claimed, Leaderboard, PrizePool } from '../../../contract/api.ts'
import { checkLedger } from '../../../server/game/ledger.ts'
import { Client } from '../../support/client.ts'
import { report, SEED, sized } from '../../support/size.ts'
import { Table } from '../model/table.ts'
import * as ownership from './ownership.ts'

const SEQUENCES = sized(6, 2_000)
const MIN_STEPS = 12
/** Below the sessions that an account may have. */
const MAX_STEPS = 20
const GUESTS = 5
const NAMES = ['Ada', 'Bob', 'Çelik']
const PASSWORD = 'a long enough password'

/** One request, or the few of a round, with any cookies there are. */
interface Step {
  readonly act: keyof typeof ACTS
  /** Of the guests there were in the beginning; null for no such cookie. */
  readonly guest: number | null
  /** Counts the sessions that were opened so far, round and round; null for no such cookie. */
  readonly session: number | null
  readonly name: string
  readonly wins: boolean
}

let table: Table
const figures = { sequences: 0, steps: 0, wins: 0, claims: 0, deletions: 0 }

beforeAll(async () => {
  table = await Table.open()
})
afterAll(() => table.close())

/** The cookies there are, and whose they are in the model. */
class Game {
  readonly model = ownership.newOwnership()
  readonly #guests: { client: Client; player: ownership.Player }[] = []
  readonly #sessions: { client: Client; session: ownership.Session }[] = []

  static async open(): Promise<Game> {
    await table.clear(GUESTS)
    const game = new Game()
    for (const { client } of table.seats) {
      await client.session()
      game.#guests.push({ client, player: ownership.newPlayer() })
    }
    return game
  }

  /** A browser with these cookies, and who they are in the model. */
  request({ guest, session }: Pick<Step, 'guest' | 'session'>) {
    const asGuest = guest === null ? undefined : this.#guests[guest]
    const asOwner = session === null ? undefined : this.#sessions[session % this.#sessions.length]
    const client = new Client(table.seats[0]?.client.url ?? '')
    for (const { cookies } of [asGuest?.client, asOwner?.client].filter(from => from !== undefined)) {
      for (const [name, value] of cookies) client.cookies.set(name, value)
    }
    return { client, cookies: { guest: asGuest?.player ?? null, session: asOwner?.session ?? null } }
  }

  opened(client: Client, session: ownership.Session): void {
    this.#sessions.push({ client, session })
  }

  /** What everybody can see: the pool, and each account's balance. */
  async agree(): Promise<void> {
    const { client } = this.request({ guest: null, session: null })
    const [pool, board] = await Promise.all([
      client.get<PrizePool>('/api/prize-pool'),
      client.get<Leaderboard>('/api/leaderboard'),
    ])
    expect(pool.body.taps).toBe(this.model.pool)
    const shown = board.body.leaderboard.map(({ username, taps_balance }) => [username, taps_balance])
    const owned = Array.from(this.model.accounts.values(), ({ username, balance }) => [username, balance])
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(owned))
  }

  /** What each cookie shows of what its player owns, and the ledger. */
  async agreeWithEach(): Promise<void> {
    for (const guest of this.#guests.keys()) await visit(this, { guest, session: null })
    for (const session of this.#sessions.keys()) await visit(this, { guest: null, session })
    const { ok, lines } = await checkLedger(table.database)
    expect(ok, lines.join('\n')).toBe(true)
    const { pool, added, accounts } = this.model
    const players = new Set(this.#guests.map(({ player }) => player))
    for (const { player } of accounts.values()) players.add(player)
    const held = Array.from(players, ({ held }) => held)
    const balances = Array.from(accounts.values(), ({ balance }) => balance)
    expect([pool, ...held, ...balances].reduce((sum, taps) => sum + taps)).toBe(added)
  }
}

/** What the session says of a player must be what the model says. */
async function visit(game: Game, cookies: Pick<Step, 'guest' | 'session'>) {
  const request = game.request(cookies)
  const who = ownership.identify(game.model, request.cookies)
  const { user, prize, round } = await request.client.session()
  expect(user?.username).toBe(who?.account?.username)
  expect(user?.taps_balance).toBe(who?.account?.balance)
  expect(prize?.taps ?? 0).toBe(who?.player.held ?? 0)
  return { ...request, who, round }
}

async function play(game: Game, step: Step): Promise<void> {
  const { client, who, round } = await visit(game, step)
  if (!who) return
  const won = ownership.play(game.model, who.player, step.wins)
  // Spread as a person's: the game is not to be taken for a script's.
  const differenceMs = step.wins ? figures.steps % 100 : 400 + (figures.steps % 100)
  const { status, body } = await client.play(round, differenceMs)
  expect({ status, won: body.attempt.won_taps }).toEqual({ status: 201, won })
  expect(body.prize?.taps ?? 0).toBe(who.player.held)
  if (step.wins) figures.wins += 1
}

async function claim(game: Game, step: Step): Promise<void> {
  const { client, cookies } = game.request(step)
  const account = ownership.identify(game.model, cookies)?.account
  const { status, body } = await client.post<Claimed>('/api/claim')
  if (!account) return expect(status).toBe(401)
  const taps = ownership.claim(account)
  expect({ status, taps: body.taps, balance: body.user.taps_balance }).toEqual({
    status: 200,
    taps,
    balance: account.balance,
  })
  figures.claims += Math.sign(taps)
}

async function enter(game: Game, step: Step, how: 'createAccount' | 'login'): Promise<void> {
  const { client, cookies } = game.request(step)
  const account = game.model.accounts.get(step.name)
  const { status, body } = await client[how](step.name, PASSWORD)
  if (!account && how === 'login') return expect(status).toBe(404)
  const session = account
    ? ownership.openSession(game.model, account, cookies)
    : ownership.createAccount(game.model, step.name, cookies)
  const { balance, player } = session.account
  expect({ status, balance: body.user.taps_balance, held: body.prize?.taps ?? 0 }).toEqual({
    status: account ? 200 : 201,
    balance,
    held: player.held,
  })
  game.opened(client, session)
}

async function logOut(game: Game, step: Step): Promise<void> {
  const { client, cookies } = game.request(step)
  expect((await client.post('/api/logout')).status).toBe(204)
  // To log out is a use of the session as well: the one whose place it took ends, too.
  ownership.identify(game.model, cookies)
  if (cookies.session) game.model.sessions.delete(cookies.session)
}

async function deleteAccount(game: Game, step: Step): Promise<void> {
  const { client, cookies } = game.request(step)
  const account = ownership.identify(game.model, cookies)?.account
  const { status } = await client.post('/api/users/delete', { password: PASSWORD })
  expect(status).toBe(account ? 204 : 401)
  if (!account) return
  ownership.deleteAccount(game.model, account)
  figures.deletions += 1
}

const ACTS = {
  plays: play,
  claims: claim,
  'signs up': (game: Game, step: Step) => enter(game, step, 'createAccount'),
  'signs in': (game: Game, step: Step) => enter(game, step, 'login'),
  'logs out': logOut,
  deletes: deleteAccount,
}

/** A password costs 45 ms of a core. */
const act = fc.oneof(
  { weight: 10, arbitrary: fc.constant('plays' as const) },
  { weight: 4, arbitrary: fc.constant('claims' as const) },
  { weight: 4, arbitrary: fc.constant('signs up' as const) },
  { weight: 4, arbitrary: fc.constant('signs in' as const) },
  { weight: 1, arbitrary: fc.constant('logs out' as const) },
  { weight: 2, arbitrary: fc.constant('deletes' as const) },
)
const step: fc.Arbitrary<Step> = fc.record({
  act,
  guest: fc.option(fc.nat({ max: GUESTS - 1 }), { freq: 4 }),
  session: fc.option(fc.nat({ max: MAX_STEPS - 1 }), { freq: 4 }),
  name: fc.constantFrom(...NAMES),
  wins: fc.nat({ max: 3 }).map(number => number > 0),
})

it('each TAPS is whose the rules say, whatever cookies of whomever are sent together', async () => {
  const sequences = fc.array(step, { minLength: MIN_STEPS, maxLength: MAX_STEPS })
  const property = fc.asyncProperty(sequences, async steps => {
    const game = await Game.open()
    for (const step of steps) {
      figures.steps += 1
      await ACTS[step.act](game, step)
      await game.agree()
    }
    await game.agreeWithEach()
    figures.sequences += 1
  })
  await fc.assert(property, { seed: SEED, numRuns: SEQUENCES })
  report('prizes', figures)
})

it('a cookie of its guest from before the sign-up moves nothing of an account to another one', async () => {
  await table.clear(2)
  const [owner, other] = table.seats.map(({ client }) => client)
  if (!owner || !other) throw new Error('There are two seats')
  await owner.session()
  const before = owner.copy()
  const { body } = await owner.createAccount('Ada', PASSWORD)
  await owner.play(body.round, 0)
  await other.createAccount('Bob', PASSWORD)
  const signedIn = await before.login('Bob', PASSWORD)
  expect({ status: signedIn.status, prize: signedIn.body.prize }).toEqual({ status: 200, prize: null })
  expect((await owner.session()).prize?.taps).toBe(1)
})
