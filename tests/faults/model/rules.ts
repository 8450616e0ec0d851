import { DELETED_NAME } from '../../../contract/name.ts'
import { PASSWORD_MIN_LENGTH, WIN_TOLERANCE_MS } from '../../../contract/rules.ts'
import {
  type Account,
  type Attempt,
  accountOf,
  type Browser,
  balanceOf,
  currentRound,
  type Game,
  heldBy,
  identify,
  type Player,
  type Round,
  type Sent,
  type Session,
} from './game.ts'

/**
 * The rules of the game, rewritten as plainly as possible. Each function applies one call to the model and
 * returns the answer of a correct server.
 */

export interface Expected {
  readonly status: number
  readonly code?: string
  /** The current round of the browser's player. */
  readonly round?: Round
  readonly won_taps?: number | null
  readonly taps?: number
}

export function visit(game: Game, browser: Browser): Expected {
  return { status: 200, round: deal(browser, present(game, browser)) }
}

export function start(game: Game, browser: Browser, round: Round): Expected {
  const player = present(game, browser)
  // The answer to a Start has no round, so the browser keeps its previous round.
  const current = currentRound(player)
  if (round.player !== player || round.number !== current.number)
    return refusal('stale_round', deal(browser, player))
  browser.start = current
  return { status: 201 }
}

/** @param isInTime - Whether the round's time has passed on the server. */
export function stop(game: Game, browser: Browser, sent: Sent, isInTime = true): Expected {
  const { round: started, differenceMs } = sent
  const player = present(game, browser)
  browser.sent = sent
  if (started.player !== player) return refusal('stale_round', deal(browser, player))
  const earlier = player.attempts[started.number - 1]
  if (!earlier) {
    const { won_taps } = record(game, browser, player, differenceMs, isInTime)
    return { status: 201, won_taps, round: deal(browser, player) }
  }
  const current = deal(browser, player)
  if (earlier.differenceMs !== differenceMs) return refusal('round_already_played', current)
  return { status: 200, won_taps: earlier.won_taps, round: current }
}

function record(
  game: Game,
  browser: Browser,
  player: Player,
  differenceMs: number,
  verified: boolean,
): Attempt {
  const account = accountOf(browser)
  game.pool += 1
  const won_taps = verified && Math.abs(differenceMs) <= WIN_TOLERANCE_MS ? game.pool : null
  game.pool -= won_taps ?? 0
  const username = account?.username ?? browser.name
  const attempt = { username, is_guest: !account, differenceMs, verified, won_taps, claimed: false }
  player.attempts.push(attempt)
  if (won_taps) {
    player.held.push(attempt)
    game.lastWin = attempt
  }
  return attempt
}

export function signUp(game: Game, browser: Browser, username: string, password: string): Expected {
  const taken = find(game, username)
  if (taken)
    return taken.password === password
      ? signIn(game, browser, taken)
      : { status: 409, code: 'username_taken' }
  if (password.length < PASSWORD_MIN_LENGTH) return { status: 400, code: 'weak_password' }
  const player = browser.guest?.isGuest ? browser.guest : newPlayer(game)
  player.isGuest = false
  const account = {
    username,
    password,
    player,
    claimed: [],
    takenBack: 0,
    isBanned: false,
    guestNames: new Map(),
  }
  game.accounts.push(account)
  return { ...signIn(game, browser, account), status: 201 }
}

export function login(game: Game, browser: Browser, username: string, password: string): Expected {
  const account = find(game, username)
  if (!account) return { status: 404, code: 'unknown_username' }
  if (account.password !== password) return { status: 401, code: 'invalid_password' }
  return signIn(game, browser, account)
}

/** Opens a session for an account. The account receives only the holds of the request's guest. */
function signIn(game: Game, browser: Browser, account: Account): Expected {
  if (account.isBanned) return { status: 403, code: 'account_banned' }
  const { guest, session } = browser
  if (guest?.isGuest) account.player.held.push(...guest.held.splice(0))
  if (session) session.isOpen = false
  openSession(game, browser, account)
  return { status: 200, round: deal(browser, account.player) }
}

function openSession({ sessions }: Game, browser: Browser, account: Account): void {
  const session: Session = { account, isOpen: true }
  sessions.push(session)
  Object.assign(browser, { guest: null, session })
}

/** Ends the session. A guest's cookie beside it stays. */
export function logout(browser: Browser): Expected {
  if (browser.session) browser.session.isOpen = false
  browser.session = null
  return { status: 204 }
}

export function claim(browser: Browser): Expected {
  const account = accountOf(browser)
  if (!account) return { status: 401, code: 'login_required' }
  const taps = heldBy(account.player)
  const wins = account.player.held.splice(0)
  for (const attempt of wins) {
    attempt.claimed = true
    if (attempt.is_guest) account.guestNames.set(attempt, attempt.username)
    Object.assign(attempt, { username: account.username, is_guest: false })
  }
  account.claimed.push(...wins)
  return { status: 200, taps }
}

export function changePassword(game: Game, browser: Browser, password: string, next: string): Expected {
  const account = accountOf(browser)
  if (!account) return { status: 401, code: 'login_required' }
  if (next.length < PASSWORD_MIN_LENGTH) return { status: 400, code: 'weak_password' }
  if (account.password !== password) return { status: 401, code: 'invalid_password' }
  account.password = next
  endSessions(game, account)
  openSession(game, browser, account)
  return { status: 204 }
}

/** Returns the account's TAPS to the pool, and removes the name from its attempts. */
export function deleteAccount(game: Game, browser: Browser, password: string): Expected {
  const account = accountOf(browser)
  if (!account) return { status: 401, code: 'login_required' }
  if (account.password !== password) return { status: 401, code: 'invalid_password' }
  const { player, claimed, guestNames } = account
  game.pool += balanceOf(account) + heldBy(player)
  player.held = []
  for (const attempt of claimed) attempt.claimed = false
  for (const [attempt, username] of guestNames) Object.assign(attempt, { username, is_guest: true })
  for (const attempt of player.attempts) attempt.username = DELETED_NAME
  game.accounts.splice(game.accounts.indexOf(account), 1)
  endSessions(game, account)
  browser.session = null
  return { status: 204 }
}

/** Returns the account's TAPS to the pool. The claimed wins stay claimed. */
export function ban(game: Game, account: Account): void {
  game.pool += balanceOf(account) + heldBy(account.player)
  account.takenBack += balanceOf(account)
  account.player.held = []
  account.isBanned = true
  endSessions(game, account)
}

function endSessions({ sessions }: Game, account: Account): void {
  for (const session of sessions) if (session.account === account) session.isOpen = false
}

export function expire(game: Game, player: Player): void {
  game.pool += heldBy(player)
  player.held = []
}

export function find({ accounts }: Game, username: string): Account | undefined {
  return accounts.find(account => account.username.toLowerCase() === username.toLowerCase())
}

/** Returns the browser's player. A browser without valid cookies becomes a new guest. */
function present(game: Game, browser: Browser): Player {
  const known = identify(browser)
  if (known) return known.player
  browser.guest = newPlayer(game)
  game.guests.push(browser.guest)
  return browser.guest
}

function newPlayer({ players }: Game): Player {
  const player = { attempts: [], held: [], isGuest: true }
  players.push(player)
  return player
}

/** Gives the browser the player's current round, like every answer that contains a round. */
function deal(browser: Browser, player: Player): Round {
  browser.round = currentRound(player)
  return browser.round
}

function refusal(code: string, round: Round): Expected {
  return { status: 409, code, round }
}
