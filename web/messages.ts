import { WIN_TOLERANCE_MS } from '../contract/rules.ts'
import { formatTime } from '../contract/time.ts'
import { formatTaps } from './lib/format.ts'

/** The win tolerance as text, which the build copies into index.html. */
export const TOLERANCE = `${formatTime(WIN_TOLERANCE_MS)} s`

/** The rule of the game in one line, which the build copies into index.html. */
export const RULE = `Stop within ${TOLERANCE} of the target and the whole pool is yours.`

/** What an idle game says to a newcomer. */
export const INSTRUCTION = 'Press Start, then Stop at the target time.'

/** The rule below the instruction. */
export const IDLE_RULE = `The clock stays hidden. Within ${TOLERANCE} the whole pool is yours.`

export const WHAT_IS_STORED =
  'The game stores your name, a hash of your password and your attempts. Attempts are public and stay. Cookies keep you logged in. The log keeps your network address. The game asks for no e-mail address, so only its operator can replace a lost password.'

/** What the login form says when the answer to a change of the account was lost. */
export const OUTCOME_UNKNOWN = {
  password:
    'The game did not say whether your password has been changed. Log in with the new one, or the old one.',
  deletion: 'The game did not say whether your account has been deleted. Log in to find out.',
} as const

/**
 * Returns the title that claim mode shows above the TAPS held.
 *
 * @param won - The TAPS won by the result in view, or null.
 */
export function prizeTitle(won: number | null, held: number): string {
  if (won === null) return 'Yours to claim'
  return won === held ? 'You won' : `You won ${formatTaps(won)} more`
}

/** Messages below the result. */
export const MESSAGES = {
  boardMissing: 'Board mode could not be loaded. Reload the page, then open it again.',
  tooLong: 'A round lasts ten minutes at most. Press Start to try the same target again.',
  interrupted: 'The round was interrupted. Press Start to try the same target again.',
  overtaken: 'This round ended in another tab. Press Start for the next one.',
  ended: 'This round has ended. If it was recorded, Your timing shows it.',
  elsewhere: 'You logged in or out in another tab. Press Start for the next round.',
  cookies: 'The game needs cookies to know you. Allow cookies for this site, then reload the page.',
  retrying: 'Your attempt is saved here until the server answers.',
  notSaved: 'Keep this page open until the server answers.',
  unanswered:
    'Something between you and the game has answered for ten minutes, so your attempt no longer counts. Press Start to try again.',
  onItsWay: 'Your attempt is still being sent. Please try again in a moment.',
  clock: 'Not verified: our clock disagrees, so no win.',
} as const
