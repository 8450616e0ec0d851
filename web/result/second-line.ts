import type { LastWin, PrizePool } from '../../contract/api.ts'
import { TAPS_PER_ATTEMPT, WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import { formatDifference } from '../../contract/time.ts'
import { formatOrdinal, formatTaps } from '../lib/format.ts'
import type { Against } from '../round/against.ts'
import { handTail, type Outcome, outcomeOf, resultLine } from './dare-line.ts'
import type { HandEnd } from './hand-end.ts'
import { nameOf, type Piece } from './piece.ts'
import { BEST_WITHIN_MS } from './timing.ts'

/** The line below the feedback. */
export interface SecondLine {
  readonly about: 'message' | 'sending' | 'taken' | 'hand' | 'best' | 'miss' | Outcome
  readonly pieces: readonly Piece[]
}

const EVENTS: readonly SecondLine['about'][] = ['beaten', 'hand', 'tie', 'best']

/** Returns whether the line says what matters to the player, and is as large as the feedback. */
export function isEvent({ about }: SecondLine): boolean {
  return EVENTS.includes(about)
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
  /** The hand that the attempt has ended, or null. */
  readonly handEnd: HandEnd | null
}

/** The largest difference that counts as a near miss. */
const NEAR_MISS_MS = WIN_TOLERANCE_MS + 300

/** The fewest TAPS that are worth a line about a near miss. */
const MISSED_LEAST_TAPS = 5

/** Returns the most important line about a result, or null. */
export function secondLine(known: Known): SecondLine | null {
  const { message, isSending, isRecorded, handEnd } = known
  if (message !== null) return { about: 'message', pieces: [{ text: message }] }
  if (isSending) return { about: 'sending', pieces: [{ text: 'Sending…' }] }
  if (!isRecorded) return null
  const compared = comparisonLine(known)
  const comesFirst = compared?.about === 'taken' || compared?.about === 'beaten'
  return handEnd === null || comesFirst ? compared : { about: 'hand', pieces: handLine(handEnd) }
}

function comparisonLine({ differenceMs, won, against }: Known): SecondLine | null {
  if (against === null) return null
  const { taker, poolAtStop } = against
  if (won === null && taker !== null) return taken(taker)
  const dare = dareLine(against, differenceMs)
  if (dare !== null && dare.about !== 'missed') return dare
  return (
    bestLine(against, differenceMs) ??
    dare ??
    (won === null && poolAtStop !== null ? missLine(poolAtStop, differenceMs) : null)
  )
}

function taken({ username, won_taps }: LastWin): SecondLine {
  const amount: Piece = { text: `${formatTaps(won_taps)} TAPS`, kind: 'amount' }
  return { about: 'taken', pieces: [nameOf(username), { text: ' just took the ' }, amount] }
}

function dareLine({ dare }: Against, differenceMs: number): SecondLine | null {
  if (dare === null) return null
  const distanceMs = Math.abs(differenceMs)
  return { about: outcomeOf(dare, distanceMs), pieces: resultLine(dare, distanceMs) }
}

/** Says how the hand compares with a dare, with those of others today, or with the hand before. */
function handLine({ averages: { nowMs, beforeMs }, dare, place }: HandEnd): readonly Piece[] {
  const average: Piece = { text: `${formatDifference(nowMs)} s average` }
  if (dare !== null) return [average, ...handTail(dare, nowMs)]
  if (typeof place === 'number') return [average, { text: `, ${formatOrdinal(place)} today` }]
  // The place is still to come.
  if (place === 'open' || beforeMs === null || beforeMs <= nowMs) return [average]
  return [average, { text: `, better than ${formatDifference(beforeMs)} s` }]
}

function bestLine({ bestBeforeMs }: Against, differenceMs: number): SecondLine | null {
  const distance = Math.abs(differenceMs)
  if (bestBeforeMs === null || distance >= bestBeforeMs || distance > BEST_WITHIN_MS) return null
  return { about: 'best', pieces: [{ text: 'Your best yet' }] }
}

function missLine({ taps }: PrizePool, differenceMs: number): SecondLine | null {
  const missingMs = Math.abs(differenceMs) - WIN_TOLERANCE_MS
  const missedTaps = taps + TAPS_PER_ATTEMPT
  if (missingMs <= 0 || Math.abs(differenceMs) > NEAR_MISS_MS || missedTaps < MISSED_LEAST_TAPS) return null
  const amount: Piece = { text: `${formatTaps(missedTaps)} TAPS`, kind: 'amount' }
  return { about: 'miss', pieces: [{ text: `${formatDifference(missingMs)} s short of ` }, amount] }
}
