import { MESSAGES } from '../lib/messages.ts'
import { type Answer, type Problem, post } from '../net/api.ts'
import { persist, RETRY_LOST_ANSWERS } from '../net/retry.ts'
import type { Game } from '../round/game.ts'
import type { SessionKeeper } from '../session/session.ts'
import type { Accounts } from './accounts.ts'

/** Changes an account. Each method resolves to null on success, else to the problem. */
export interface AccountSettings {
  changePassword(password: string, newPassword: string): Promise<Problem | null>
  deleteAccount(password: string): Promise<Problem | null>
}

const DONE: Answer<null> = { ok: true, body: null }

interface Deps {
  readonly accounts: Pick<Accounts, 'leave'>
  readonly session: Pick<SessionKeeper, 'refetch'>
  readonly game: Pick<Game, 'changeAccount' | 'show'>
}

export function createAccountSettings({ accounts, session, game }: Deps): AccountSettings {
  /** Returns the problem, if any. Refetches the session if the user has been logged out elsewhere. */
  function problemOf(answer: Answer<null>): Problem | null {
    if (answer.ok) return null
    if (answer.code === 'login_required') void session.refetch()
    return answer
  }

  return {
    async changePassword(password, newPassword) {
      let tries = 0
      const change = (): Promise<Answer<null>> => {
        tries += 1
        return post('/api/password', { password, new_password: newPassword })
      }
      // Waits for an attempt in flight, because the server refuses the attempt after replacing the session.
      const answer = await game.changeAccount(() => persist(change, RETRY_LOST_ANSWERS))
      // An earlier try changed the password, but its answer with the new session was lost.
      if (!answer.ok && answer.code === 'login_required' && tries > 1) game.show('main', MESSAGES.signInAgain)
      return problemOf(answer)
    },
    async deleteAccount(password) {
      let tries = 0
      const problem = await accounts.leave(async () => {
        tries += 1
        const answer = await post('/api/users/delete', { password })
        // An earlier try deleted the account, but its answer was lost.
        const done = !answer.ok && answer.code === 'login_required' && tries > 1
        return done ? DONE : answer
      })
      return problem && problemOf(problem)
    },
  }
}
