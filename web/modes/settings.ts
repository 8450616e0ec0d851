import type { BodyOf } from '../../contract/api.ts'
import type { Answer, Api, Problem } from '../net/api.ts'
import { isLost, persist, RETRY_LOST_ANSWERS } from '../net/retry.ts'
import type { Game } from '../round/game.ts'
import type { GuestProfile } from '../session/guest.ts'
import type { SessionKeeper } from '../session/session.ts'
import { sendChange } from './second-look.ts'

export interface SettingsDeps {
  readonly api: Pick<Api, 'login' | 'logout' | 'changePassword' | 'deleteAccount'>
  readonly session: Pick<SessionKeeper, 'state' | 'signedIn' | 'refetch' | 'renew'>
  readonly game: Pick<Game, 'changeAccount' | 'show' | 'startOver'>
  readonly guests: Pick<GuestProfile, 'renew'>
  /** Tells other tabs that the player, round or prize may have changed. */
  readonly announce: () => void
}

const DELETED = 'Your account has been deleted.'
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

  async function endAccount(password: string): Promise<Answer<null>> {
    const answer = await sendChange({ api, session }, () => api.deleteAccount({ password }), {
      kind: 'deletion',
      password,
    })
    if (answer.ok) await startGuest()
    return answer
  }

  /** Shows to a user whose session has ended what to do. */
  function refuse(problem: Problem): Problem {
    if (problem.code === 'login_required') {
      game.show('main', problem.title)
      void session.refetch()
    }
    return problem
  }

  return {
    logout: () => leave(endSession, null),
    deleteAccount: (password: string) => leave(() => endAccount(password), DELETED),
    async changePassword(passwords: BodyOf<'changePassword'>): Promise<Problem | null> {
      const deed = { kind: 'password', password: passwords.new_password } as const
      // Waits for an attempt in flight, because the server refuses the attempt after replacing the session.
      const answer = await game.changeAccount(() =>
        sendChange({ api, session }, () => api.changePassword(passwords), deed),
      )
      announce()
      return answer.ok ? null : refuse(answer)
    },
  }
}
