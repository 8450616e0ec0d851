/**
 * The rules of the game as pure functions on whole milliseconds. Both sides import this file: the page
 * shows a result at once from it, the server decides with it. No floating point ever meets a threshold.
 */

/** Targets lie on the grid 1.00, 1.01 … 5.00 s, so what is shown to 2 decimals is exactly what is meant. */
export const TARGET_MIN_MS = 1_000
export const TARGET_MAX_MS = 5_000
export const TARGET_STEP_MS = 10
export const TARGET_COUNT = (TARGET_MAX_MS - TARGET_MIN_MS) / TARGET_STEP_MS + 1

/** An attempt lasts more than nothing and at most ten minutes. */
export const ACTUAL_MAX_MS = 600_000

/** Landing this close to the target, limits included, wins the pool. */
export const WIN_TOLERANCE_MS = 100

/** What every recorded attempt, hit or miss, adds to the pool. */
export const TAPS_PER_ATTEMPT = 1

/** An attempt may be sent, and sent again, this long after its Start. */
export const ROUND_LIFETIME_MS = 600_000

export const LEADERBOARD_SIZE = 10
export const RECENT_ATTEMPTS = 5
export const MY_ATTEMPTS = 30

/** A rank is counted up to here; beyond it the exact number would cost a scan nobody gains from. */
export const RANK_LIMIT = 1_000

/** The most often a viewer is written to: spec section 9, "realtime events per second". */
export const LIVE_WRITES_PER_SECOND = 10

/** The dot crosses the track once in this time, then starts over. */
export const TRACK_LOOP_MS = 5_000

export const CONFETTI_PARTICLES = 100

/** A Stop this soon after Start is a slip of the hand, in ms: no target is below a second, and a double click takes 200. */
export const STOP_SLIP_MS = 250

/** A press this soon after Stop is another slip, in ms: a hand that presses twice, the second time too late. */
export const START_SLIP_MS = 450

/** How long a winning result stays before claim mode comes, in ms. */
export const WIN_SHOWN_MS = 1_800

/** From here on a press brings claim mode at once, in ms after the Stop. */
export const WIN_SEEN_MS = 900

/** A press this soon after claim mode came, in ms, was meant for what was there before. */
export const CLAIM_SLIP_MS = 450

/** The longest name, in what a person counts as characters. */
export const NAME_MAX_GRAPHEMES = 32

/** Why a longer one cannot be. */
export const NAME_LIMIT = `A name has at most ${NAME_MAX_GRAPHEMES} characters`

/** Bounds what has to be looked at before the characters of a name are counted. */
export const NAME_MAX_LENGTH = 200

export const PASSWORD_MIN_LENGTH = 8
/** Longer than any password manager makes; bounds what one login can cost. */
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

/** What the rules say of one attempt. */
export interface Judgement {
  /** Signed, in ms: positive is late. */
  readonly differenceMs: number
  readonly wins: boolean
  readonly feedback: Feedback
}

/**
 * Judges one attempt by the rules alone; whether the win counts is for the server to say.
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
