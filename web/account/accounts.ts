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

/** Login, sign-up, logout and claim. Each method resolves to null on success, else to the problem. */
export interface Accounts {
  enter(how: Entrance, credentials: Credentials): Promise<Problem | null>
  /** Logs in or signs up, then claims. */
  enterAndClaim(how: Entrance, credentials: Credentials): Promise<Problem | null>
  claim(): Promise<Problem | null>
  logout(): Promise<Problem | null>
  /** Ends the session with `end`, then starts a new guest. */
  leave(end: () => Promise<Answer<null>>): Promise<Problem | null>
}

interface Deps {
  readonly api: Pick<Api, Entrance | 'claim' | 'logout'>
  readonly session: Pick<SessionKeeper, 'signedIn' | 'claimed' | 'refetch' | 'renew'>
  readonly game: Pick<Game, 'changeAccount' | 'forget' | 'show' | 'showClaimed'>
  readonly guests: Pick<GuestProfile, 'renew'>
  readonly announce: () => void
}

export function createAccounts({ api, session, game, guests, announce }: Deps): Accounts {
  const send = (how: Entrance, { username, password }: Credentials): Promise<Answer<SignedIn>> =>
    persist(() => api[how]({ username, password }), RETRY_LOST_ANSWERS)

  const claim = () => persist(api.claim, RETRY_LOST_ANSWERS)

  async function leave(end: () => Promise<Answer<null>>): Promise<Problem | null> {
    const answer = await game.changeAccount(async () => {
      const left = await persist(end, RETRY_LOST_ANSWERS)
      if (!left.ok) return left
      guests.renew()
      await session.renew()
      return left
    })
    if (!answer.ok) return answer
    game.forget()
    announce()
    return null
  }

  function applyClaim(answer: Answer<Claimed>): Problem | null {
    if (answer.ok) session.claimed(answer.body)
    void session.refetch()
    announce()
    if (!answer.ok) return answer
    game.showClaimed(answer.body)
    return null
  }

  /** Reads the session. If the game does not know the user, the browser did not keep the session's cookie. */
  async function confirm({ user }: SignedIn): Promise<void> {
    const current = await session.refetch()
    if (current !== null && current.user?.id !== user.id) game.show('main', MESSAGES.cookies)
  }

  return {
    claim: async () => applyClaim(await game.changeAccount(claim)),
    async enter(how, credentials) {
      if (isBlank(credentials)) return pageProblem('missing_credentials', MISSING_CREDENTIALS)
      const answer = await game.changeAccount(() => send(how, credentials))
      if (!answer.ok) return answer
      session.signedIn(answer.body)
      void confirm(answer.body)
      announce()
      game.show(answer.body.prize === null ? 'main' : 'claim')
      return null
    },
    async enterAndClaim(how, credentials) {
      if (isBlank(credentials)) return pageProblem('missing_credentials', MISSING_CREDENTIALS)
      const answer = await game.changeAccount(async (): Promise<Answer<SignedInAndClaimed>> => {
        const signedIn = await send(how, credentials)
        return signedIn.ok ? { ok: true, body: { signedIn: signedIn.body, claim: await claim() } } : signedIn
      })
      if (!answer.ok) return answer
      const { body } = answer
      // A failed claim leaves the player signed in, so that the player can claim again.
      session.signedIn(body.signedIn)
      const problem = applyClaim(body.claim)
      if (problem === null && body.signedIn.prize === null) game.show('main', NOTHING_HELD)
      return problem?.code === 'login_required' ? { ...problem, title: MESSAGES.cookies } : problem
    },
    logout: () => leave(api.logout),
    leave,
  }
}

interface SignedInAndClaimed {
  readonly signedIn: SignedIn
  readonly claim: Answer<Claimed>
}

function isBlank({ username, password }: Credentials): boolean {
  return username.trim() === '' || password === ''
}

const NOTHING_HELD = 'The hold on your prize had ended, so nothing was claimed.'
