import fc from 'fast-check'
import { type Browser, type Game, heldBy } from './game.ts'
import {
  changePassword,
  claim,
  deleteAccount,
  expire,
  login,
  logout,
  type Side,
  sendAgain,
  signUp,
  start,
  stop,
  visit,
} from './moves.ts'
import type { Table } from './table.ts'

/** Three browsers, so that two can be on one account and a third one is against them. */
export const SEATS = ['Browser A', 'Browser B', 'Browser C']

/** Two spellings of one name, and others. */
const NAMES = ['Ada', 'ADA', 'Çelik', 'Bob']
const PASSWORD = 'correct horse'
const OTHER_PASSWORDS = ['battery staple', 'short']
/** In ms: at the limits of a hit and beyond. */
const HITS = [0, 37, 100, -100]
const MISSES = [101, -101, 480, -900]

/** One act, and after it everything that anybody can see must be as the rules have it. */
type Act = fc.AsyncCommand<Game, Table>

function act(
  words: string,
  move: (game: Game, table: Table) => Promise<void>,
  possible: (game: Game) => boolean = () => true,
): Act {
  return {
    check: possible,
    run: async (game, table) => {
      table.figures.acts += 1
      await move(game, table)
      await table.agree(game)
    },
    toString: () => words,
  }
}

function actOf(
  index: number,
  words: string,
  move: (side: Side) => Promise<void>,
  possible: (browser: Browser) => boolean = () => true,
): Act {
  return act(
    `${SEATS[index]} ${words}`,
    (game, table) => move(sideAt(game, table, index)),
    game => possible(at(game.browsers, index)),
  )
}

/** An act with what another browser has, or the same one. */
function actWith(
  [index, of]: [number, number],
  words: string,
  move: (side: Side, of: Side) => Promise<void>,
  possible: (of: Browser) => boolean,
): Act {
  return act(
    `${SEATS[index]} ${words} of ${SEATS[of]}`,
    (game, table) => move(sideAt(game, table, index), sideAt(game, table, of)),
    game => possible(at(game.browsers, of)),
  )
}

function sideAt(game: Game, table: Table, index: number): Side {
  return { game, table, browser: at(game.browsers, index), seat: at(table.seats, index) }
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`There is no seat ${index}`)
  return item
}

/** A whole round, as a page plays it. */
async function play(side: Side, differenceMs: number): Promise<void> {
  await visit(side)
  await start(side, side)
  await stop(side, side, differenceMs)
}

function hasHold({ player, account }: Browser): boolean {
  return player !== null && account === null && heldBy(player) > 0
}

const seat = fc.nat({ max: SEATS.length - 1 })
const itself = seat.map((index): [number, number] => [index, index])
const seats = fc.oneof(itself, fc.tuple(seat, seat))
const difference = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...HITS) },
  { weight: 1, arbitrary: fc.constantFrom(...MISSES) },
)
const credentials = fc.tuple(
  fc.constantFrom(...NAMES),
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(PASSWORD) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_PASSWORDS) },
  ),
)
const isSignedIn = ({ account }: Browser) => account !== null
/** Seldom the server itself, which is waited for up to a second. */
const byServer = fc.nat({ max: 7 }).map(number => number === 0)

const plays = fc
  .tuple(seat, difference)
  .map(([index, ms]) => actOf(index, `plays a round, ${ms} ms off`, side => play(side, ms)))

const visits = seat.map(index => actOf(index, 'visits', visit))

const starts = seats.map(pair => actWith(pair, 'starts the round', start, ({ round }) => round !== null))

const stops = fc.tuple(seats, difference).map(([pair, ms]) =>
  actWith(
    pair,
    `stops, ${ms} ms off, the run`,
    (side, of) => stop(side, of, ms),
    ({ start }) => start !== null,
  ),
)

const resends = fc.tuple(seats, fc.constantFrom(0, 1)).map(([pair, ms]) =>
  actWith(
    pair,
    `sends again, ${ms} ms changed, the attempt`,
    (side, of) => sendAgain(side, of, ms),
    ({ sent }) => sent !== null,
  ),
)

const signUps = fc
  .tuple(seat, credentials)
  .map(([index, [name, password]]) =>
    actOf(index, `creates the account ${name} with "${password}"`, side => signUp(side, name, password)),
  )

/** Before there is an account every name is unknown, which one time shows as well as many. */
const logins = fc.tuple(seat, credentials).map(([index, [name, password]]) =>
  act(
    `${SEATS[index]} signs in as ${name} with "${password}"`,
    (game, table) => login(sideAt(game, table, index), name, password),
    ({ accounts }) => accounts.length > 0,
  ),
)

const logouts = seat.map(index => actOf(index, 'logs out', logout))

const claims = seat.map(index => actOf(index, 'claims', claim, isSignedIn))

const changes = fc
  .tuple(seat, fc.constantFrom(PASSWORD, ...OTHER_PASSWORDS), fc.constantFrom(PASSWORD, ...OTHER_PASSWORDS))
  .map(([index, password, next]) =>
    actOf(
      index,
      `changes the password "${password}" to "${next}"`,
      side => changePassword(side, password, next),
      isSignedIn,
    ),
  )

const deletions = credentials.chain(([, password]) =>
  seat.map(index =>
    actOf(index, `deletes the account with "${password}"`, side => deleteAccount(side, password), isSignedIn),
  ),
)

const anyClaims = seat.map(index => actOf(index, 'claims', claim))

const expiries = fc
  .tuple(seat, byServer)
  .map(([index, server]) =>
    actOf(
      index,
      `holds too long; ${server ? 'the server' : 'another node'} returns it`,
      side => expire(side, server),
      hasHold,
    ),
  )

const restarts = fc.constant('the server restarts').map(words => act(words, (_, table) => table.restart()))

/**
 * Any act, as often as it pays: a password costs 45 ms of a core, a restart about 150, and what is not possible
 * when its turn comes is left out.
 */
export const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 20, arbitrary: plays },
  { weight: 4, arbitrary: visits },
  { weight: 12, arbitrary: starts },
  { weight: 12, arbitrary: stops },
  { weight: 8, arbitrary: resends },
  { weight: 6, arbitrary: signUps },
  { weight: 6, arbitrary: logins },
  { weight: 3, arbitrary: logouts },
  { weight: 16, arbitrary: claims },
  { weight: 1, arbitrary: anyClaims },
  { weight: 2, arbitrary: changes },
  { weight: 4, arbitrary: deletions },
  { weight: 8, arbitrary: expiries },
  { weight: 1, arbitrary: restarts },
)
