import fc from 'fast-check'
import { WIN_TOLERANCE_MS } from '../../../contract/rules.ts'
import { accountOf, type Browser, type Cookies, type Game, heldBy, identify, type Player } from './game.ts'
import * as moves from './moves.ts'
import type { Table } from './table.ts'

/** Three browsers: two can share an account while the third plays against them. */
export const SEATS = ['Browser A', 'Browser B', 'Browser C']

/** Account names. The first two are the same name in different case. */
const NAMES = ['Ada', 'ADA', 'Çelik', 'Bob']
const PASSWORD = 'correct horse'
const OTHER_PASSWORDS = ['battery staple', 'short']
/** Differences in ms, inside the tolerance and at its limits. */
const HITS = [0, 37, WIN_TOLERANCE_MS, -WIN_TOLERANCE_MS]
/** Differences in ms, outside the tolerance. */
const MISSES = [WIN_TOLERANCE_MS + 1, -WIN_TOLERANCE_MS - 1, 480, -900]

interface Action {
  readonly description: string
  /** @param of - The browser whose round, start or attempt is used; may be `side` itself. */
  readonly move: (side: moves.Side, of: moves.Side) => Promise<void>
  readonly possible?: (browser: Browser, of: Browser) => boolean
}

async function play(side: moves.Side, differenceMs: number): Promise<void> {
  await moves.visit(side)
  await moves.start(side, side)
  await moves.stop(side, side, differenceMs)
}

const isSignedIn = (browser: Browser) => accountOf(browser) !== null

function isGuestWithPrize(browser: Browser): boolean {
  const known = identify(browser)
  return known !== null && known.account === null && heldBy(known.player) > 0
}

const difference = fc.oneof(fc.constantFrom(...HITS), fc.constantFrom(...MISSES))
const password = fc.oneof(
  { weight: 4, arbitrary: fc.constant(PASSWORD) },
  { weight: 1, arbitrary: fc.constantFrom(...OTHER_PASSWORDS) },
)
const credentials = fc.tuple(fc.constantFrom(...NAMES), password)

const weighted = (weight: number, arbitrary: fc.Arbitrary<Action>) => ({ weight, arbitrary })
const always = (weight: number, action: Action) => weighted(weight, fc.constant(action))

/**
 * Any action, chosen by weight; `anyCommand` skips impossible actions. Restarts are rare, because a
 * restart takes 150 ms.
 */
const anyAction = fc.oneof(
  weighted(
    30,
    difference.map(ms => ({ description: `plays a round, ${ms} ms off`, move: side => play(side, ms) })),
  ),
  always(4, { description: 'visits', move: moves.visit }),
  always(6, {
    description: 'starts the round',
    move: moves.start,
    possible: (_, { round }) => round !== null,
  }),
  weighted(
    8,
    difference.map(ms => ({
      description: `stops the run ${ms} ms off`,
      move: (side, of) => moves.stop(side, of, ms),
      possible: (_, { start }) => start !== null,
    })),
  ),
  weighted(
    6,
    difference.map(ms => ({
      description: `stops the run too early, ${ms} ms off`,
      move: (side, of) => moves.stopTooEarly(side, of, ms),
      possible: (_, { start }) => start !== null,
    })),
  ),
  weighted(
    8,
    fc.constantFrom(0, 1).map(ms => ({
      description: `sends the attempt again with ${ms} ms added`,
      move: (side, of) => moves.sendAgain(side, of, ms),
      possible: (_, { sent }) => sent !== null,
    })),
  ),
  weighted(
    10,
    credentials.map(([name, given]) => ({
      description: `creates the account ${name} with "${given}"`,
      move: side => moves.signUp(side, name, given),
    })),
  ),
  weighted(
    12,
    credentials.map(([name, given]) => ({
      description: `signs in as ${name} with "${given}"`,
      move: side => moves.login(side, name, given),
    })),
  ),
  always(4, { description: 'logs out', move: moves.logout }),
  always(16, { description: 'claims', move: moves.claim, possible: isSignedIn }),
  always(1, { description: 'claims', move: moves.claim }),
  weighted(
    2,
    fc.tuple(password, password).map(([given, next]) => ({
      description: `changes the password "${given}" to "${next}"`,
      move: side => moves.changePassword(side, given, next),
      possible: isSignedIn,
    })),
  ),
  weighted(
    4,
    password.map(given => ({
      description: `deletes the account with "${given}"`,
      move: side => moves.deleteAccount(side, given),
      possible: isSignedIn,
    })),
  ),
  weighted(
    3,
    fc.constantFrom(...NAMES).map(name => ({
      description: `bans or unbans ${name}`,
      move: side => moves.toggleBan(side, name),
    })),
  ),
  // Lets another node return most holds, because the server may wait a second before it returns a hold.
  weighted(
    8,
    fc.nat({ max: 7 }).map(n => ({
      description: `lets a hold expire; ${n === 0 ? 'the server' : 'another node'} returns it`,
      move: side => moves.expire(side, n === 0),
      possible: isGuestWithPrize,
    })),
  ),
  always(1, { description: 'continues on a restored backup', move: moves.restore }),
  always(1, { description: 'continues on a restarted server', move: ({ table }) => table.restart() }),
)

/** Indexes into the guests with a history and into the sessions; null means no cookie. */
type Choice = readonly [guest: number | null, session: number | null]
const oneOf = fc.option(fc.nat({ max: 99 }), { freq: 3 })
const choice = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.tuple(oneOf, oneOf) },
)

function chosen({ guests, sessions }: Game, [guest, session]: Choice): Cookies {
  return { guest: nth(guests.filter(hasHistory), guest), session: nth(sessions, session) }
}

const hasHistory = ({ attempts, isGuest }: Player) => attempts.length > 0 || !isGuest

function nth<Item>(items: readonly Item[], number: number | null): Item | null {
  return number === null ? null : (items[number % items.length] ?? null)
}

const seat = fc.nat({ max: SEATS.length - 1 })

/**
 * One action of one browser, with its own or other cookies. Everything visible must then match the model.
 */
export const anyCommand: fc.Arbitrary<fc.AsyncCommand<Game, Table>> = fc
  .tuple(anyAction, seat, fc.option(seat, { freq: 2 }), choice)
  .map(([{ description, move, possible }, index, other, cookies]) => ({
    check: game => {
      const browser = at(game.browsers, index)
      const changed = cookies ? { ...browser, ...chosen(game, cookies) } : browser
      return !possible || possible(changed, other === null ? changed : at(game.browsers, other))
    },
    run: async (game, table) => {
      const side = sideAt(game, table, index)
      if (cookies) moves.putCookies(side, chosen(game, cookies))
      await move(side, other === null ? side : sideAt(game, table, other))
      await table.agree(game)
    },
    toString: () =>
      `${SEATS[index]} (cookies ${cookies ?? 'unchanged'}) ${description}, using ${SEATS[other ?? index]}`,
  }))

function sideAt(game: Game, table: Table, index: number): moves.Side {
  return { game, table, browser: at(game.browsers, index), client: at(table.clients, index) }
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`There is no seat ${index}`)
  return item
}
