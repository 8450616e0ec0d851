/**
 * The rules of the game, shared by the page and the server. All times are whole milliseconds, so rounding
 * cannot change a result at a limit.
 */

/** The targets are 1.00, 1.01 … 5.00 s, so two decimals show every target exactly. */
export const TARGET_MIN_MS = 1_000
export const TARGET_MAX_MS = 5_000
export const TARGET_STEP_MS = 10
export const TARGET_COUNT = (TARGET_MAX_MS - TARGET_MIN_MS) / TARGET_STEP_MS + 1

export const ACTUAL_MAX_MS = 600_000

export const WIN_TOLERANCE_MS = 100

export const TAPS_PER_ATTEMPT = 1

/** The time after Start during which an attempt can be recorded. */
export const ROUND_LIFETIME_MS = 600_000

export const LEADERBOARD_SIZE = 10
export const RECENT_ATTEMPTS = 5
export const MY_ATTEMPTS = 30

/** The rounds of a hand: rounds 5k+1 to 5k+5 of a player. `record_batch` repeats this number. */
export const HAND_SIZE = 5

/** The rows of today's list. */
export const TODAY_SIZE = 10

/** The last rank that is computed, which bounds the ranking query. */
export const RANK_LIMIT = 1_000

/** The "realtime events per second" of spec section 9. */
export const LIVE_WRITES_PER_SECOND = 10

export const TRACK_LOOP_MS = 5_000

export const CONFETTI_PARTICLES = 100

/** The time after Start during which a Stop is ignored; a double click takes about 200 ms. */
export const STOP_DEBOUNCE_MS = 250

/** The time after Stop during which a Start is ignored. */
export const START_DEBOUNCE_MS = 450

/** The delay from Stop until claim mode opens. */
export const WIN_SHOWN_MS = 1_800

/** The delay from Stop until a press can open claim mode. */
export const WIN_SEEN_MS = 900

/** The time after claim mode opens during which presses are ignored. */
export const CLAIM_DEBOUNCE_MS = 450

export const NAME_MAX_GRAPHEMES = 32

export const NAME_LIMIT = `A name has at most ${NAME_MAX_GRAPHEMES} characters`

/** The most UTF-16 code units in a name; longer input is refused before its graphemes are counted. */
export const NAME_MAX_LENGTH = 200

export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 256

export type Closeness = 'perfect' | 'close' | 'near' | 'fair' | 'off' | 'far' | 'wild'

export interface Feedback {
  readonly closeness: Closeness
  readonly limitMs: number
  readonly message: string
}

/** The feedback messages of spec section 8, with emoji added. */
export const FEEDBACK: readonly Feedback[] = [
  { closeness: 'perfect', limitMs: 0, message: "PERFECT! You're a timing genius! 🏆" },
  { closeness: 'close', limitMs: 50, message: "SO close! You've got serious skills! 🔥" },
  { closeness: 'near', limitMs: 100, message: 'Nearly there! Just a tiny adjustment needed! 🎯' },
  { closeness: 'fair', limitMs: 300, message: 'Not bad! Keep practicing! 💪' },
  { closeness: 'off', limitMs: 500, message: 'Whoops! That was a bit off! 😅' },
  { closeness: 'far', limitMs: 1_000, message: 'Were you even trying? 😴' },
]

const WORST: Feedback = {
  closeness: 'wild',
  limitMs: Number.POSITIVE_INFINITY,
  message: 'Wow... that was... something! 😱',
}

export interface Judgement {
  /** The actual time minus the target. */
  readonly differenceMs: number
  readonly wins: boolean
  readonly feedback: Feedback
}

/**
 * Judges an attempt by its times alone. Only the server knows whether a win counts.
 *
 * @param targetMs - One of the targets.
 * @param actualMs - A whole number in (0, ACTUAL_MAX_MS].
 */
export function judge(targetMs: number, actualMs: number): Judgement {
  const differenceMs = actualMs - targetMs
  const distance = Math.abs(differenceMs)
  const feedback = FEEDBACK.find(({ limitMs }) => distance <= limitMs) ?? WORST
  return { differenceMs, wins: distance <= WIN_TOLERANCE_MS, feedback }
}
