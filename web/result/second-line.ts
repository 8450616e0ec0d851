import type { LastWin, PrizePool } from '../../contract/api.ts'
import { TAPS_PER_ATTEMPT, WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import { formatDifference } from '../../contract/time.ts'
import { formatTaps } from '../lib/format.ts'
import type { Against } from '../round/against.ts'
import { BEST_WITHIN_MS } from './timing.ts'

/** A piece of a line; an amount is gold, and a name has the colour of the text. */
export interface Piece {
  readonly text: string
  readonly kind?: 'amount' | 'name'
}

/** The line below the feedback. */
export interface SecondLine {
  readonly about: 'message' | 'sending' | 'taken' | 'dare' | 'best' | 'miss'
  readonly pieces: readonly Piece[]
  /** Whether the line is as large as the feedback: a dare beaten or tied, or the best. */
  readonly isEvent?: boolean
}

/** What is known about a result. */
export interface Known {
  /** Why the attempt is not verified or not sent, or what else a player must know. */
  readonly message: string | null
  /** Whether an answer to the attempt takes long. */
  readonly isSending: boolean
  /** Whether the server has recorded the attempt. */
  readonly isRecorded: boolean
  /** The difference in ms, negative when early. */
  readonly differenceMs: number
  /** The TAPS that the attempt won, or null. */
  readonly won: number | null
  readonly against: Against | null
}

/** The largest difference that counts as a near miss. */
const NEAR_MISS_MS = WIN_TOLERANCE_MS + 300

/** Returns the most important line about a result, or null. */
export function secondLine(known: Known): SecondLine | null {
  const { message, isSending, isRecorded, against } = known
  if (message !== null) return { about: 'message', pieces: [{ text: message }] }
  if (isSending) return { about: 'sending', pieces: [{ text: 'Sending…' }] }
  return isRecorded && against !== null ? comparisonLine(known, against) : null
}

function comparisonLine({ differenceMs, won }: Known, against: Against): SecondLine | null {
  const { taker, poolAtStop } = against
  if (won === null && taker !== null) return taken(taker)
  const dare = dareLine(against, differenceMs)
  if (dare?.isBeaten) return dare.line
  return (
    bestLine(against, differenceMs) ??
    dare?.line ??
    (won === null && poolAtStop !== null ? missLine(poolAtStop, differenceMs) : null)
  )
}

function taken({ username, won_taps }: LastWin): SecondLine {
  const amount: Piece = { text: `${formatTaps(won_taps)} TAPS`, kind: 'amount' }
  return { about: 'taken', pieces: [{ text: username, kind: 'name' }, { text: 'just took the' }, amount] }
}

/** Compares with a dare. A tie is not beaten. */
function dareLine({ dare }: Against, differenceMs: number): { isBeaten: boolean; line: SecondLine } | null {
  if (dare === null) return null
  const name: Piece = { text: dare.by, kind: 'name' }
  const closerMs = dare.differenceMs - Math.abs(differenceMs)
  const isBeaten = closerMs > 0
  const by = `${formatDifference(closerMs)} s`
  const pieces = isBeaten
    ? [{ text: 'You beat' }, name, { text: `by ${by}` }]
    : closerMs === 0
      ? [{ text: 'As close as' }, name]
      : [name, { text: `was ${by} closer` }]
  return { isBeaten, line: { about: 'dare', pieces, isEvent: closerMs >= 0 } }
}

function bestLine({ bestBeforeMs }: Against, differenceMs: number): SecondLine | null {
  const distance = Math.abs(differenceMs)
  if (bestBeforeMs === null || distance >= bestBeforeMs || distance > BEST_WITHIN_MS) return null
  return { about: 'best', pieces: [{ text: 'Your best yet' }], isEvent: true }
}

function missLine({ taps }: PrizePool, differenceMs: number): SecondLine | null {
  const missingMs = Math.abs(differenceMs) - WIN_TOLERANCE_MS
  if (missingMs <= 0 || Math.abs(differenceMs) > NEAR_MISS_MS) return null
  const amount: Piece = { text: `${formatTaps(taps + TAPS_PER_ATTEMPT)} TAPS`, kind: 'amount' }
  return { about: 'miss', pieces: [{ text: `${formatDifference(missingMs)} s short of` }, amount] }
}
