import { WIN_TOLERANCE_MS } from '../contract/rules.ts'
import { formatTime } from '../contract/time.ts'
import { formatTaps } from './format.ts'

/** The win tolerance in words, also in index.html. */
export const TOLERANCE = `${formatTime(WIN_TOLERANCE_MS)} s`

/** The game in one line, also in index.html. */
export const RULE = `Stop within ${TOLERANCE} of the target and the whole pool is yours.`

export const WHAT_IS_STORED =
  'What the game stores: your name, a hash of your password, your attempts. No e-mail.'

/**
 * Names the TAPS held in claim mode.
 *
 * @param won - What the result in view has won; null for none.
 */
export function prizeTitle(won: number | null, held: number): string {
  if (won === null) return 'Yours to claim'
  return won === held ? 'You won' : `You won ${formatTaps(won)} more`
}

/** Messages below the result. */
export const MESSAGES = {
  tooLong: 'A round lasts ten minutes at most. This one was ended; its target waits for you.',
  interrupted: 'The round was ended without a result; its target waits for you.',
  overtaken: 'This round ended in another tab; here is the next one.',
  elsewhere: 'You logged in or out in another tab, which ended this round; here is the next one.',
  slept: 'This device slept, so the round was ended without a result; its target waits for you.',
  signInAgain: 'Your password is changed, but the answer was lost: log in with the new one.',
  retrying: 'Your attempt is kept here and sent as soon as the server answers.',
  onItsWay: 'Your attempt is still on its way; please try again once it has arrived.',
  clock: 'Not verified: less time has passed on our clock, so it counts but cannot win.',
  flagged: 'Steadier than a hand can be: it counts, but it cannot win.',
} as const
