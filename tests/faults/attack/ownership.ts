/** Who owns each TAPS, told as plainly as possible: no clock, no token, no database. */

export interface Player {
  held: number
  /** Once an account's, no guest's cookie names this player any more, also when the account has gone. */
  isGuest: boolean
}

export interface Account {
  readonly username: string
  readonly player: Player
  balance: number
}

export interface Session {
  readonly account: Account
}

/** What a request carries: of any guest, of any session, open or not. */
export interface Cookies {
  readonly guest: Player | null
  readonly session: Session | null
}

/** All that is owned, and by whom. */
export interface Ownership {
  pool: number
  /** Everything that was ever added. */
  added: number
  readonly accounts: Map<string, Account>
  readonly sessions: Set<Session>
}

export function newOwnership(): Ownership {
  return { pool: 0, added: 0, accounts: new Map(), sessions: new Set() }
}

export const newPlayer = (): Player => ({ held: 0, isGuest: true })

/** Who asks; null for nobody we know. */
export function identify({ sessions }: Ownership, { guest, session }: Cookies) {
  if (session && sessions.has(session)) return { player: session.account.player, account: session.account }
  return guest?.isGuest ? { player: guest, account: null } : null
}

/** An attempt of a player; what it won, null when it lost. */
export function play(game: Ownership, player: Player, wins: boolean): number | null {
  game.added += 1
  game.pool += 1
  if (!wins) return null
  const won = game.pool
  game.pool = 0
  player.held += won
  return won
}

/** What was claimed. */
export function claim(account: Account): number {
  const { held } = account.player
  account.balance += held
  account.player.held = 0
  return held
}

/** A new account, of the guest of this request when there is one. */
export function createAccount(game: Ownership, username: string, cookies: Cookies): Session {
  const player = cookies.guest?.isGuest ? cookies.guest : newPlayer()
  player.isGuest = false
  const account = { username, player, balance: 0 }
  game.accounts.set(username, account)
  return openSession(game, account, cookies)
}

/** What is held for the guest of this request, and for nobody else, comes along. */
export function openSession(
  { sessions }: Ownership,
  account: Account,
  { guest, session: old }: Cookies,
): Session {
  if (guest?.isGuest) {
    account.player.held += guest.held
    guest.held = 0
  }
  if (old) sessions.delete(old)
  const session = { account }
  sessions.add(session)
  return session
}

/** Everything the account had is in the pool, and it is gone. */
export function deleteAccount(game: Ownership, account: Account): void {
  game.pool += account.balance + account.player.held
  account.player.held = 0
  game.accounts.delete(account.username)
  for (const session of game.sessions) if (session.account === account) game.sessions.delete(session)
}
