import type { Claimed, SignedIn } from '../../contract/api.ts'
import { MISSING_CREDENTIALS } from '../../contract/problems.ts'
import { MESSAGES } from '../messages.ts'
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
import type { SessionKeeper } from '../session/session.ts'

import { createLine } from './line.ts'

export interface EntranceDeps {
  readonly api: Pick<Api, Entrance | 'claim'>
  readonly session: Pick<SessionKeeper, 'signedIn' | 'claimed' | 'refetch'>
  readonly game: Pick<Game, 'state' | 'changeAccount' | 'show' | 'startOver'>
  /** Tells other tabs that the player, round or prize may have changed. */
  readonly announce: () => void
}

const NOTHING_HELD = 'The hold on your prize had ended, so nothing was claimed.'

/** Login, sign-up and claim. */
export function createEntrance({ api, session, game, announce }: EntranceDeps) {
  const claim = () => persist(api.claim, RETRY_LOST_ANSWERS)
  const line = createLine()

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
      const answer = await untilLeft(game.state, signal => line.wait(() => api[how](credentials), signal))
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
    game.startOver({ claimed: answer.body })
    return null
  }

  return {
    /** Whether a login or sign-up waits in line. */
    waiting: line.reason,
    claim: async () => applyClaim(await game.changeAccount(claim)),
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
  }
}

/** Runs `act`, with a signal that aborts when the player leaves the form. */
async function untilLeft<Result>(
  state: Game['state'],
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { view } = state.get()
  const left = new AbortController()
  const undo = state.subscribe(now => {
    if (now.view !== view) left.abort()
  })
  return act(left.signal).finally(undo)
}
