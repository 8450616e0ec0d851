import type { Claimed, SignedIn } from '../../contract/api.ts'
import { MISSING_CREDENTIALS } from '../../contract/problems.ts'
import { MESSAGES } from '../lib/messages.ts'
import {
  type Answer,
  type Api,
  type Credentials,
  type Entrance,
  type Problem,
  pageProblem,
} from '../net/api.ts'
import { persist, RETRY_LOST_ANSWERS } from '../net/retry.ts'
import type { Game } from '../round/game.ts'
import type { GuestProfile } from '../session/guest.ts'
import type { SessionKeeper } from '../session/session.ts'

interface Deps {
  readonly api: Pick<Api, Entrance | 'claim' | 'logout' | 'changePassword' | 'deleteAccount'>
  readonly session: Pick<SessionKeeper, 'signedIn' | 'claimed' | 'refetch' | 'renew'>
  readonly game: Pick<Game, 'changeAccount' | 'forget' | 'show' | 'showClaimed'>
  readonly guests: Pick<GuestProfile, 'renew'>
  readonly announce: () => void
}

const NOTHING_HELD = 'The hold on your prize had ended, so nothing was claimed.'

/** Login, sign-up, claim, logout and changes. Each method resolves to null on success, else to the problem. */
export function createAccounts({ api, session, game, guests, announce }: Deps) {
  const claim = () => persist(api.claim, RETRY_LOST_ANSWERS)

  /** Logs in or signs up. Continues with `next` before a round can start. */
  async function signIn<Body>(
    how: Entrance,
    credentials: Credentials,
    next: (body: SignedIn) => Promise<Body>,
  ): Promise<Answer<Body>> {
    if (credentials.username.trim() === '' || credentials.password === '') {
      return pageProblem('missing_credentials', MISSING_CREDENTIALS)
    }
    return game.changeAccount(async () => {
      const answer = await persist(() => api[how](credentials), RETRY_LOST_ANSWERS)
      return answer.ok ? { ok: true, body: await next(answer.body) } : answer
    })
  }

  /** Reads the session. If the game does not know the user, the browser did not keep the session's cookie. */
  async function confirm({ user }: SignedIn): Promise<void> {
    const current = await session.refetch()
    if (current !== null && current.user?.id !== user.id) game.show('main', MESSAGES.cookies)
  }

  function applyClaim(answer: Answer<Claimed>): Problem | null {
    if (answer.ok) session.claimed(answer.body)
    void session.refetch()
    announce()
    if (!answer.ok) return answer
    game.showClaimed(answer.body)
    return null
  }

  /** Ends the session with `end`, then starts a new guest. */
  async function leave(end: (isRetry: boolean) => Promise<Answer<null>>): Promise<Problem | null> {
    const answer = await game.changeAccount(async () => {
      const left = await persist(end, RETRY_LOST_ANSWERS)
      if (!left.ok) return left
      guests.renew()
      await session.renew()
      return left
    })
    if (!answer.ok) return problemOf(answer)
    game.forget()
    announce()
    return null
  }

  /** Returns the problem, if any. Refetches the session if the user has been logged out elsewhere. */
  function problemOf(answer: Answer<null>): Problem | null {
    if (answer.ok) return null
    if (answer.code === 'login_required') void session.refetch()
    return answer
  }

  return {
    claim: async () => applyClaim(await game.changeAccount(claim)),
    logout: () => leave(api.logout),
    async enter(how: Entrance, credentials: Credentials): Promise<Problem | null> {
      const answer = await signIn(how, credentials, async body => body)
      if (!answer.ok) return answer
      session.signedIn(answer.body)
      void confirm(answer.body)
      announce()
      game.show(answer.body.prize === null ? 'main' : 'claim')
      return null
    },
    /** Logs in or signs up, then claims. */
    async enterAndClaim(how: Entrance, credentials: Credentials): Promise<Problem | null> {
      const answer = await signIn(how, credentials, async body => ({ body, claim: await claim() }))
      if (!answer.ok) return answer
      const { body, claim: claimed } = answer.body
      // A failed claim leaves the player signed in, so that the player can claim again.
      session.signedIn(body)
      const problem = applyClaim(claimed)
      if (problem === null && body.prize === null) game.show('main', NOTHING_HELD)
      return problem?.code === 'login_required' ? { ...problem, title: MESSAGES.cookies } : problem
    },
    async changePassword(password: string, newPassword: string): Promise<Problem | null> {
      const change = async (isRetry: boolean): Promise<Answer<null>> => {
        const answer = await api.changePassword({ password, new_password: newPassword })
        // An earlier try changed the password, but its answer with the new session was lost.
        if (isRetry && isLoggedOut(answer)) game.show('main', MESSAGES.signInAgain)
        return answer
      }
      // Waits for an attempt in flight, because the server refuses the attempt after replacing the session.
      return problemOf(await game.changeAccount(() => persist(change, RETRY_LOST_ANSWERS)))
    },
    deleteAccount: (password: string) =>
      leave(async isRetry => {
        const answer = await api.deleteAccount({ password })
        // An earlier try deleted the account, but its answer was lost.
        return isRetry && isLoggedOut(answer) ? { ok: true, body: null } : answer
      }),
  }
}

function isLoggedOut(answer: Answer<null>): boolean {
  return !answer.ok && answer.code === 'login_required'
}
