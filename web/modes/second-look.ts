import { type Answer, type Api, type Problem, pageProblem } from '../net/api.ts'
import { persist, RETRY_LOST_ANSWERS } from '../net/retry.ts'
import type { SessionKeeper } from '../session/session.ts'

/** A change of an account that ends the browser's session, so that a repeated request is refused. */
export interface Deed {
  readonly kind: 'password' | 'deletion'
  /** The password that the account has if the change of the password was made, or if the deletion was not. */
  readonly password: string
}

interface Deps {
  readonly api: Pick<Api, 'login'>
  readonly session: Pick<SessionKeeper, 'state' | 'signedIn'>
}

const DONE: Answer<null> = { ok: true, body: null }

const OTHER_PASSWORD = 'You were logged out. Log in with the new password, or the old one.'
const CHANGED_AND_BANNED = 'Your password has been changed.'
const NOT_DELETED = 'Your account has not been deleted. You are still logged in.'
const UNKNOWN = {
  password:
    'The game did not say whether your password has been changed. Log in with the new one, or the old one.',
  deletion: 'The game did not say whether your account has been deleted. Log in to find out.',
}

/**
 * Sends a change. Looks whether a refused change was made, because a proxy may have repeated the request, or lost
 * the first answer.
 *
 * @returns the outcome of the change, or a problem that says what is so
 */
export async function sendChange(
  { api, session }: Deps,
  send: () => Promise<Answer<null>>,
  deed: Deed,
): Promise<Answer<null>> {
  const username = session.state.get().session?.user?.username ?? ''
  let isRepeated = false
  const onRetry = () => {
    isRepeated = true
  }
  const answer = await persist(send, { ...RETRY_LOST_ANSWERS, onRetry })
  if (answer.ok || username === '' || !isDoubtful(answer, isRepeated)) return answer
  // Logs in once, and never with the old password of a change.
  const look = await persist(() => api.login({ username, password: deed.password }), RETRY_LOST_ANSWERS)
  if (look.ok) session.signedIn(look.body)
  return conclude(deed.kind, answer, look)
}

/** Returns true when a refusal does not tell whether the change was made. */
function isDoubtful({ code }: Problem, isRepeated: boolean): boolean {
  const hasEnded = code === 'login_required' || code === 'password_changed'
  return hasEnded || (code === 'invalid_password' && isRepeated)
}

/** Concludes from a login whether the change was made. */
function conclude(kind: Deed['kind'], refusal: Problem, look: Answer<unknown>): Answer<null> {
  if (look.ok) return kind === 'password' ? DONE : pageProblem('unavailable', NOT_DELETED)
  // The session has not ended, so the password that the user typed is wrong.
  if (refusal.code === 'invalid_password' && look.code === 'invalid_password') return refusal
  if (kind === 'deletion' && look.code === 'unknown_username') return DONE
  return pageProblem('login_required', describe(kind, look))
}

function describe(kind: Deed['kind'], look: Problem): string {
  if (kind === 'password' && look.code === 'account_banned') return `${CHANGED_AND_BANNED} ${look.title}.`
  if (kind === 'password' && look.code === 'invalid_password') return OTHER_PASSWORD
  return UNKNOWN[kind]
}
