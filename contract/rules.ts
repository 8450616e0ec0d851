/**
 * The rules of the game, on whole milliseconds, so that rounding never decides at a limit. The page shows a
 * result by these rules, and the server decides by them.
 */

/** Targets are 1.00, 1.01 … 5.00 s, so two decimals show them exactly. */
export const TARGET_MIN_MS = 1_000
export const TARGET_MAX_MS = 5_000
export const TARGET_STEP_MS = 10
export const TARGET_COUNT = (TARGET_MAX_MS - TARGET_MIN_MS) / TARGET_STEP_MS + 1

/** The longest attempt: ten minutes. The shortest is 1 ms. */
export const ACTUAL_MAX_MS = 600_000

/** An attempt at most this far from its target wins the pool. */
export const WIN_TOLERANCE_MS = 100

/** Every recorded attempt adds this to the pool, hit or miss. */
export const TAPS_PER_ATTEMPT = 1

/** How long after its Start an attempt may be sent, or sent again. */
export const ROUND_LIFETIME_MS = 600_000

export const LEADERBOARD_SIZE = 10
export const RECENT_ATTEMPTS = 5
export const MY_ATTEMPTS = 30

/** Ranks are counted up to here: a higher one would take a long scan. */
export const RANK_LIMIT = 1_000

/** Spec section 9, "realtime events per second". */
export const LIVE_WRITES_PER_SECOND = 10

/** The dot crosses the track in this time, then starts over. */
export const TRACK_LOOP_MS = 5_000

export const CONFETTI_PARTICLES = 100

/** A Stop this soon after Start, in ms, is a slip of the hand: no target is below a second, and a double click takes 200. */
export const STOP_SLIP_MS = 250

/** A Start this soon after Stop, in ms, is a slip too: the second press of a hand that meant one. */
export const START_SLIP_MS = 450

/** How long a winning result is shown before claim mode opens, in ms. */
export const WIN_SHOWN_MS = 1_800

/** From this long after Stop on, in ms, a press opens claim mode. */
export const WIN_SEEN_MS = 900

/** A press this soon after claim mode opened, in ms, was meant for what was there before. */
export const CLAIM_SLIP_MS = 450

/** The longest name, in characters as a person counts them (graphemes). */
export const NAME_MAX_GRAPHEMES = 32

/** Why a longer name is refused. */
export const NAME_LIMIT = `A name has at most ${NAME_MAX_GRAPHEMES} characters`

/** The longest name in UTF-16 code units. Longer input is refused before its characters are counted. */
export const NAME_MAX_LENGTH = 200

export const PASSWORD_MIN_LENGTH = 8
/** Limits what one login can cost. */
export const PASSWORD_MAX_LENGTH = 256

/** How close an attempt came, best first. */
export type Closeness = 'perfect' | 'close' | 'near' | 'fair' | 'off' | 'far' | 'wild'

/** One line of feedback: its inclusive upper limit in ms and the sentence the player reads. */
export interface Feedback {
  readonly closeness: Closeness
  readonly limitMs: number
  readonly message: string
}

/** Spec section 8, "Feedback by absolute difference", each followed by an emoji. */
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

/** The result of one attempt. */
export interface Judgement {
  /** Signed, in ms: positive is late. */
  readonly differenceMs: number
  readonly wins: boolean
  readonly feedback: Feedback
}

/**
 * Judges one attempt by the rules alone. Only the server knows whether a win counts.
 *
 * @param targetMs whole ms on the target grid
 * @param actualMs whole ms in (0, ACTUAL_MAX_MS]
 */
export function judge(targetMs: number, actualMs: number): Judgement {
  const differenceMs = actualMs - targetMs
  const distance = Math.abs(differenceMs)
  const feedback = FEEDBACK.find(({ limitMs }) => distance <= limitMs) ?? WORST
  return { differenceMs, wins: distance <= WIN_TOLERANCE_MS, feedback }
}
