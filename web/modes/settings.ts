import type { BodyOf } from '../../contract/api.ts'
import { OUTCOME_UNKNOWN } from '../messages.ts'
import { type Answer, type Api, type Problem, pageProblem } from '../net/api.ts'
import { isLost, persist, RETRY_LOST_ANSWERS } from '../net/retry.ts'
import type { Game } from '../round/game.ts'
import type { GuestProfile } from '../session/guest.ts'
import type { SessionKeeper } from '../session/session.ts'

export interface SettingsDeps {
  readonly api: Pick<Api, 'logout' | 'changePassword' | 'deleteAccount'>
  readonly session: Pick<SessionKeeper, 'refetch' | 'renew'>
  readonly game: Pick<Game, 'changeAccount' | 'show' | 'startOver'>
  readonly guests: Pick<GuestProfile, 'renew'>
  /** Tells other tabs that the player, round or prize may have changed. */
  readonly announce: () => void
}

const DELETED = 'Your account has been deleted.'
const NOT_DELETED = 'Your account has not been deleted.'
const STILL_LOGGED_IN = 'The game did not answer, so you are still logged in. Please try again.'
const PERHAPS_LOGGED_IN = 'The game did not answer, so you may still be logged in. Please try again.'

/** Logout, and the changes of a user's account. */
export function createSettings({ api, session, game, guests, announce }: SettingsDeps) {
  /** Ends the user's session with `end`, then starts a new guest. */
  async function leave(end: () => Promise<Answer<null>>, message: string | null): Promise<Problem | null> {
    const answer = await game.changeAccount(end)
    announce()
    if (!answer.ok) return refuse(answer)
    game.startOver({ message })
    return null
  }

  async function startGuest(): Promise<void> {
    guests.renew()
    await session.renew()
  }

  async function endSession(): Promise<Answer<null>> {
    const answer = await persist(api.logout, RETRY_LOST_ANSWERS)
    if (answer.ok) await startGuest()
    if (answer.ok || !isLost(answer)) return answer
    const current = await session.refetch()
    if (current === null) return { ...answer, title: PERHAPS_LOGGED_IN }
    if (current.user !== null) return { ...answer, title: STILL_LOGGED_IN }
    guests.renew()
    return { ok: true, body: null }
  }

  /** Sends a change that ends the session. Reads the session when the answer does not tell the outcome. */
  async function sendChange(
    kind: keyof typeof OUTCOME_UNKNOWN,
    send: () => Promise<Answer<null>>,
  ): Promise<Answer<null>> {
    let isRepeated = false
    const onRetry = () => {
      isRepeated = true
    }
    const answer = await persist(send, { ...RETRY_LOST_ANSWERS, onRetry })
    if (answer.ok || tellsOutcome(answer, isRepeated)) return answer
    const current = await session.refetch()
    if (current !== null && current.user === null) return pageProblem('login_required', OUTCOME_UNKNOWN[kind])
    const isKept = current !== null && kind === 'deletion'
    return pageProblem('unavailable', isKept ? NOT_DELETED : OUTCOME_UNKNOWN[kind])
  }

  async function endAccount(password: string): Promise<Answer<null>> {
    const answer = await sendChange('deletion', () => api.deleteAccount({ password }))
    if (answer.ok) await startGuest()
    return answer
  }

  /** Shows the login form to a user whose session has ended. */
  function refuse(problem: Problem): Problem {
    if (problem.code === 'login_required') game.show('login', problem.title)
    return problem
  }

  return {
    logout: () => leave(endSession, null),
    deleteAccount: (password: string) => leave(() => endAccount(password), DELETED),
    async changePassword(passwords: BodyOf<'changePassword'>): Promise<Problem | null> {
      // Waits for an attempt in flight, because the server refuses the attempt after replacing the session.
      const answer = await game.changeAccount(() =>
        sendChange('password', () => api.changePassword(passwords)),
      )
      announce()
      return answer.ok ? null : refuse(answer)
    },
  }
}

/** Returns false for a refusal by which the change may have been made: a proxy may have repeated the request. */
function tellsOutcome({ code }: Problem, isRepeated: boolean): boolean {
  const hasNoAnswer = code === 'network' || code === 'stranger'
  const hasEnded = code === 'login_required' || code === 'password_changed'
  return !hasNoAnswer && !hasEnded && !(code === 'invalid_password' && isRepeated)
}
