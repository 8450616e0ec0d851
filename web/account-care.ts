import { type Accounts, LOST_ANSWERS } from './accounts.ts'
import { type Answer, type Failure, post } from './api.ts'
import { persist } from './retry.ts'
import type { SessionKeeper } from './session.ts'

/** What its owner does to an account. Each answers null when it is done, or what went wrong. */
export interface AccountCare {
  changePassword(password: string, newPassword: string): Promise<Failure | null>
  deleteAccount(password: string): Promise<Failure | null>
}

const DONE: Answer<null> = { ok: true, status: 204, body: null }

export function careForAccount(accounts: Accounts, session: SessionKeeper): AccountCare {
  /** Who is not logged in any more finds it out here. */
  function told(answer: Answer<null>): Failure | null {
    if (answer.ok) return null
    if (answer.code === 'login_required') void session.refetch()
    return answer
  }

  return {
    async changePassword(password, newPassword) {
      const send = () => post<null>('/api/password', { password, new_password: newPassword })
      return told(await persist(send, LOST_ANSWERS))
    },
    async deleteAccount(password) {
      let tries = 0
      const failure = await accounts.leave(async () => {
        tries += 1
        const answer = await post<null>('/api/users/delete', { password })
        // The answer before was lost, and what it would have said was done.
        const done = !answer.ok && answer.code === 'login_required' && tries > 1
        return done ? DONE : answer
      })
      return failure && told(failure)
    },
  }
}
