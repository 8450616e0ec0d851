import {
  type Account,
  type Attempt,
  type Browser,
  type Game,
  heldBy,
  type Player,
  type Round,
  type Sent,
  sum,
} from './game.ts'

/**
 * The rules of the game, told a second time and as plainly as possible: each function does an action to the
 * model and gives what a right server answers. No clock, no token, no database.
 */

export interface Expected {
  readonly status: number
  readonly code?: string
  /** The browser's round is the current one of whoever it is now. */
  readonly round?: Round
  readonly won_taps?: number | null
  readonly taps?: number
}

const TOLERANCE_MS = 100
const PASSWORD_MIN_LENGTH = 8
const DELETED = 'Deleted player'

export function visit(game: Game, browser: Browser): Expected {
  return { status: 200, round: deal(browser, present(game, browser)) }
}

export function start(game: Game, browser: Browser, round: Round): Expected {
  const player = present(game, browser)
  // An answer of success brings no round: the browser may have started one that it was never given itself.
  const current = currentRound(player)
  if (round.player !== player || round.number !== current.number)
    return refusal('stale_round', deal(browser, player))
  browser.start = current
  return { status: 201 }
}

export function stop(game: Game, browser: Browser, sent: Sent): Expected {
  const { round: started, differenceMs } = sent
  const player = present(game, browser)
  browser.sent = sent
  if (started.player !== player) return refusal('stale_round', deal(browser, player))
  const earlier = player.attempts[started.number - 1]
  if (!earlier) {
    const { won_taps } = record(game, browser, player, differenceMs)
    return { status: 201, won_taps, round: deal(browser, player) }
  }
  const current = deal(browser, player)
  if (earlier.differenceMs !== differenceMs) return refusal('round_already_played', current)
  return { status: 200, won_taps: earlier.won_taps, round: current }
}

function record(game: Game, { name, account }: Browser, player: Player, differenceMs: number): Attempt {
  game.pool += 1
  const won_taps = Math.abs(differenceMs) <= TOLERANCE_MS ? game.pool : null
  game.pool -= won_taps ?? 0
  const username = account?.username ?? name
  const attempt = { username, is_guest: !account, differenceMs, won_taps, claimed: false }
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
    return taken.password === password ? signIn(browser, taken) : { status: 409, code: 'username_taken' }
  if (password.length < PASSWORD_MIN_LENGTH) return { status: 400, code: 'weak_password' }
  // A guest becomes the account; whoever is signed in leaves their player to the account it belongs to.
  const guest = browser.account ? null : browser.player
  const account = { username, password, player: guest ?? newPlayer(game), taps_balance: 0 }
  game.accounts.push(account)
  return { ...signIn(browser, account), status: 201 }
}

export function login(game: Game, browser: Browser, username: string, password: string): Expected {
  const account = find(game, username)
  if (!account) return { status: 404, code: 'unknown_username' }
  return account.password === password ? signIn(browser, account) : { status: 401, code: 'invalid_password' }
}

function signIn(browser: Browser, account: Account): Expected {
  const guest = browser.account ? null : browser.player
  if (guest && guest !== account.player) account.player.held.push(...guest.held.splice(0))
  browser.account = account
  browser.player = account.player
  return { status: 200, round: deal(browser, account.player) }
}

export function logout(browser: Browser): Expected {
  if (browser.account) browser.player = null
  browser.account = null
  return { status: 204 }
}

export function claim({ account }: Browser): Expected {
  if (!account) return { status: 401, code: 'login_required' }
  const won = account.player.held.splice(0)
  for (const attempt of won) attempt.claimed = true
  const taps = sum(won.map(({ won_taps }) => won_taps ?? 0))
  account.taps_balance += taps
  return { status: 200, taps }
}

export function changePassword(game: Game, browser: Browser, password: string, next: string): Expected {
  const { account } = browser
  if (!account) return { status: 401, code: 'login_required' }
  if (next.length < PASSWORD_MIN_LENGTH) return { status: 400, code: 'weak_password' }
  if (account.password !== password) return { status: 401, code: 'invalid_password' }
  account.password = next
  leave(game, account, browser)
  return { status: 204 }
}

/** Its TAPS go back, its attempts stay without its name, and whoever was signed in is nobody. */
export function deleteAccount(game: Game, { account }: Browser, password: string): Expected {
  if (!account) return { status: 401, code: 'login_required' }
  if (account.password !== password) return { status: 401, code: 'invalid_password' }
  const { player, taps_balance } = account
  game.pool += taps_balance + heldBy(player)
  player.held = []
  for (const attempt of player.attempts) Object.assign(attempt, { username: DELETED, claimed: false })
  game.accounts.splice(game.accounts.indexOf(account), 1)
  leave(game, account)
  return { status: 204 }
}

/** All sessions of an account end, but the one of this browser. */
function leave({ browsers }: Game, account: Account, stays?: Browser): void {
  for (const browser of browsers) {
    if (browser.account === account && browser !== stays)
      Object.assign(browser, { player: null, account: null })
  }
}

/** The time of all that is held for this guest is up. */
export function expire(game: Game, player: Player): void {
  game.pool += heldBy(player)
  player.held = []
}

function find({ accounts }: Game, username: string): Account | undefined {
  return accounts.find(account => account.username.toLowerCase() === username.toLowerCase())
}

/** Whoever the browser is; a new guest if it is nobody. */
function present(game: Game, browser: Browser): Player {
  browser.player ??= newPlayer(game)
  return browser.player
}

function newPlayer({ players }: Game): Player {
  const player = { attempts: [], held: [] }
  players.push(player)
  return player
}

/** Hands the browser its player's current round, as every answer with a round does. */
function deal(browser: Browser, player: Player): Round {
  browser.round = currentRound(player)
  return browser.round
}

function currentRound(player: Player): Round {
  return { player, number: player.attempts.length + 1 }
}

function refusal(code: string, round: Round): Expected {
  return { status: 409, code, round }
}
