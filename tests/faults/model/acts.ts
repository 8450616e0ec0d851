import fc from 'fast-check'
import { WIN_TOLERANCE_MS } from '../../../contract/rules.ts'
import { accountOf, type Browser, type Cookies, type Game, heldBy, identify, type Player } from './game.ts'
import * as moves from './moves.ts'
import type { Table } from './table.ts'

/** Three browsers: two can share an account while the third plays against them. */
export const SEATS = ['Browser A', 'Browser B', 'Browser C']

/** The first two are the same name. */
const NAMES = ['Ada', 'ADA', 'Çelik', 'Bob']
const PASSWORD = 'correct horse'
const OTHER_PASSWORDS = ['battery staple', 'short']
/** In ms: inside the tolerance and at its limits, then outside. */
const HITS = [0, 37, WIN_TOLERANCE_MS, -WIN_TOLERANCE_MS]
const MISSES = [WIN_TOLERANCE_MS + 1, -WIN_TOLERANCE_MS - 1, 480, -900]

interface Act {
  readonly words: string
  /** @param of - The browser whose round, start or attempt is used; may be the same. */
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

const always = (act: Act): fc.Arbitrary<Act> => fc.constant(act)

const plays = difference.map(ms => ({
  words: `plays a round, ${ms} ms off`,
  move: (side: moves.Side) => play(side, ms),
}))
const starts = always({
  words: 'starts the round',
  move: moves.start,
  possible: (_, { round }) => round !== null,
})
const stops = difference.map(
  (ms): Act => ({
    words: `stops, ${ms} ms off, the run`,
    move: (side, of) => moves.stop(side, of, ms),
    possible: (_, { start }) => start !== null,
  }),
)
const resends = fc.constantFrom(0, 1).map(
  (ms): Act => ({
    words: `sends again, ${ms} ms changed, the attempt`,
    move: (side, of) => moves.sendAgain(side, of, ms),
    possible: (_, { sent }) => sent !== null,
  }),
)
const signUps = credentials.map(([name, word]) => ({
  words: `creates the account ${name} with "${word}"`,
  move: (side: moves.Side) => moves.signUp(side, name, word),
}))
const logins = credentials.map(([name, word]) => ({
  words: `signs in as ${name} with "${word}"`,
  move: (side: moves.Side) => moves.login(side, name, word),
}))
const changes = fc.tuple(password, password).map(
  ([word, next]): Act => ({
    words: `changes the password "${word}" to "${next}"`,
    move: side => moves.changePassword(side, word, next),
    possible: isSignedIn,
  }),
)
const deletions = password.map(
  (word): Act => ({
    words: `deletes the account with "${word}"`,
    move: side => moves.deleteAccount(side, word),
    possible: isSignedIn,
  }),
)
/** The server itself takes up to a second, so it does this rarely. */
const expiries = fc.nat({ max: 7 }).map(
  (n): Act => ({
    words: `holds too long; ${n === 0 ? 'the server' : 'another node'} returns it`,
    move: side => moves.expire(side, n === 0),
    possible: isGuestWithPrize,
  }),
)
const restarts = always({ words: 'finds the server restarted', move: ({ table }) => table.restart() })

/** An act that is impossible when its turn comes is skipped. A restart takes 150 ms. */
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 30, arbitrary: plays },
  { weight: 4, arbitrary: always({ words: 'visits', move: moves.visit }) },
  { weight: 6, arbitrary: starts },
  { weight: 8, arbitrary: stops },
  { weight: 8, arbitrary: resends },
  { weight: 10, arbitrary: signUps },
  { weight: 12, arbitrary: logins },
  { weight: 4, arbitrary: always({ words: 'logs out', move: moves.logout }) },
  { weight: 16, arbitrary: always({ words: 'claims', move: moves.claim, possible: isSignedIn }) },
  { weight: 1, arbitrary: always({ words: 'claims', move: moves.claim }) },
  { weight: 2, arbitrary: changes },
  { weight: 4, arbitrary: deletions },
  { weight: 8, arbitrary: expiries },
  { weight: 1, arbitrary: restarts },
)

/** Indexes of guests with something to lose and of sessions; null for no cookie. */
type Choice = readonly [guest: number | null, session: number | null]
const oneOf = fc.option(fc.nat({ max: 99 }), { freq: 3 })
const choice = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.tuple(oneOf, oneOf) },
)

function chosen({ guests, sessions }: Game, [guest, session]: Choice): Cookies {
  return { guest: nth(guests.filter(hasSomething), guest), session: nth(sessions, session) }
}

const hasSomething = ({ attempts, isGuest }: Player) => attempts.length > 0 || !isGuest

function nth<Item>(items: readonly Item[], number: number | null): Item | null {
  return number === null ? null : (items[number % items.length] ?? null)
}

const seat = fc.nat({ max: SEATS.length - 1 })

/**
 * One act of one browser, with its own or any other cookies. Afterwards everything visible must agree with
 * the model.
 */
export const anyCommand: fc.Arbitrary<fc.AsyncCommand<Game, Table>> = fc
  .tuple(anyAct, seat, fc.option(seat, { freq: 2 }), choice)
  .map(([{ words, move, possible }, index, other, cookies]) => ({
    check: game => {
      const browser = at(game.browsers, index)
      const changed = cookies ? { ...browser, ...chosen(game, cookies) } : browser
      return !possible || possible(changed, other === null ? changed : at(game.browsers, other))
    },
    run: async (game, table) => {
      table.figures.acts += 1
      const side = sideAt(game, table, index)
      if (cookies) moves.putCookies(side, chosen(game, cookies))
      await move(side, other === null ? side : sideAt(game, table, other))
      await table.agree(game)
    },
    toString: () =>
      `${SEATS[index]} (cookies ${cookies ?? 'unchanged'}) ${words} of ${SEATS[other ?? index]}`,
  }))

function sideAt(game: Game, table: Table, index: number): moves.Side {
  return { game, table, browser: at(game.browsers, index), seat: at(table.seats, index) }
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`There is no seat ${index}`)
  return item
}
