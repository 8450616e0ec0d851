import { nameKey } from '../../contract/name.ts'

/** A guest comes for so many rounds and is seen no more. */
const ROUNDS_OF_GUEST = 5
/** One attempt in so many wins, as of people who spread by a tenth of what they wait. */
const ATTEMPTS_PER_WIN = 8
/** Prizes are held when they were won among the last so many attempts; of the others, accounts claimed each by itself. */
const RECENT = 8_000
/** What is held is held for longer than any test takes. */
const HELD_UNTIL = '2100-01-01T00:00:00Z'
const DAYS = 90
const DAY_MS = 86_400_000
/** The last attempt: a fixed moment, so that two loads are the same. */
const END_MS = Date.UTC(2026, 10, 1)
/** Of the right form, and of no password. */
const PASSWORD_HASH = `$2b$10$${'.'.repeat(53)}`
/** How COPY writes that there is nothing. */
const NULL = '\\N'

/** What is held for a player. */
interface Hold {
  /** The attempt that began it. */
  readonly id: number
  taps: number
  readonly until: string
}

/**
 * What a crowd has done before: half of the attempts are by accounts, half by guests. Rows are lines of COPY's text
 * format; those of attempts come first, and the rest follows from them.
 */
export class Past {
  readonly #attempts: number
  readonly #accounts: number
  /** By account. */
  readonly #rounds: Uint32Array
  readonly #balances: Float64Array
  readonly #prizes: string[] = []
  /** Those that have ended. */
  readonly #ended: string[] = []
  readonly #open = new Map<string, Hold>()
  /** In prizes that are held, and in balances. */
  #owned = 0

  /** @param accounts at least one */
  constructor(attempts: number, accounts: number) {
    this.#attempts = attempts
    this.#accounts = accounts
    this.#rounds = new Uint32Array(accounts + 1)
    this.#balances = new Float64Array(accounts + 1)
  }

  get pool(): number {
    return this.#attempts - this.#owned
  }

  /** id, player, round, user_id, username, target_time, actual_time, difference, created_at */
  *attempts(): Generator<string> {
    let lastWin = 0
    for (let id = 1; id <= this.#attempts; id += 1) {
      const account = id % 2 === 0 ? this.#accountOf(id) : null
      const guest = Math.floor(id / (2 * ROUNDS_OF_GUEST))
      const who = account
        ? [playerOf(account, 2), this.#nextRound(account), account, accountName(account)]
        : [playerOf(guest, 3), 1 + (Math.floor(id / 2) % ROUNDS_OF_GUEST), NULL, `Guest ${guest}`]
      const wins = mix(id, 4) % ATTEMPTS_PER_WIN === 0
      if (wins) this.#win(id, id - lastWin, `${who[0]}`, account)
      if (wins) lastWin = id
      yield row([id, ...who, ...times(mix(id, 5), wins), this.#momentOf(id)])
    }
  }

  /** id, username, username_key, password_hash, taps_balance, player */
  *users(): Generator<string> {
    for (let id = 1; id <= this.#accounts; id += 1) {
      const name = accountName(id)
      const balance = this.#balances[id] ?? 0
      yield row([id, name, nameKey(name), PASSWORD_HASH, balance, playerOf(id, 2)])
    }
  }

  /** token_hash, user_id, created_at, expires_at */
  *sessions(): Generator<string> {
    for (let user = 1; user <= this.#accounts; user += 1) {
      const createdAt = new Date(Date.now() - (mix(user, 6) % 20) * DAY_MS).toISOString()
      const token = `\\\\x${playerOf(user, 7)}${playerOf(user, 8)}`
      yield row([token, user, createdAt, HELD_UNTIL])
    }
  }

  /** attempt_id, hold_id, taps */
  prizes(): Iterable<string> {
    return this.#prizes
  }

  /** id, player, taps, held_until, ended_at, ended_as, claimed_by */
  *holds(): Generator<string> {
    yield* this.#ended
    for (const [player, { id, taps, until }] of this.#open) {
      yield row([id, player, taps, until, NULL, NULL, NULL])
    }
  }

  /** Some play much more than others: the first of a million a thousand times as much as the middle one. */
  #accountOf(attempt: number): number {
    const chance = mix(attempt, 1) / 2 ** 32
    return 1 + Math.floor(this.#accounts * chance ** 2)
  }

  #nextRound(account: number): number {
    const round = (this.#rounds[account] ?? 0) + 1
    this.#rounds[account] = round
    return round
  }

  /** What became of a prize. */
  #win(attempt: number, taps: number, holder: string, account: number | null): void {
    if (attempt > this.#attempts - RECENT) {
      const hold = this.#hold(attempt, taps, holder, account ? NULL : HELD_UNTIL)
      this.#prizes.push(row([attempt, hold, taps]))
      return
    }
    const moment = this.#momentOf(attempt)
    const end = account ? [NULL, moment, 'claimed', account] : [moment, moment, 'returned', NULL]
    this.#prizes.push(row([attempt, attempt, taps]))
    this.#ended.push(row([attempt, holder, taps, ...end]))
    if (account === null) return
    this.#owned += taps
    this.#balances[account] = (this.#balances[account] ?? 0) + taps
  }

  /** The hold that a win is added to. */
  #hold(attempt: number, taps: number, holder: string, until: string): number {
    this.#owned += taps
    const hold = this.#open.get(holder)
    if (!hold) {
      this.#open.set(holder, { id: attempt, taps, until })
      return attempt
    }
    hold.taps += taps
    return hold.id
  }

  #momentOf(attempt: number): string {
    const ago = (1 - attempt / this.#attempts) * DAYS * DAY_MS
    return new Date(END_MS - ago).toISOString()
  }
}

function accountName(account: number): string {
  return `Member ${account}`
}

/** Target, actual time and difference of an attempt, in seconds. */
function times(chance: number, wins: boolean): string[] {
  const targetMs = 1_000 + (chance % 401) * 10
  const differenceMs = wins ? (chance % 201) - 100 : 150 + (chance % 850)
  return [targetMs, targetMs + differenceMs, differenceMs].map(ms => (ms / 1_000).toFixed(3))
}

function row(values: readonly (string | number | boolean)[]): string {
  return `${values.join('\t')}\n`
}

/** 128 bits that look like chance, as a uuid or half a token. */
function playerOf(number: number, kind: number): string {
  return [1, 2, 3, 4]
    .map(word =>
      mix(number, kind * 8 + word)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('')
}

/** A number from 0 to 2^32 − 1 that looks like chance and follows from these two (the end of MurmurHash3). */
function mix(number: number, salt: number): number {
  let mixed = Math.imul(number, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca77)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
