import { type Answer, type Api, type Problem, pageProblem } from '../net/api.ts'
import { persist, RETRY_LOST_ANSWERS } from '../net/retry.ts'
import type { SessionKeeper } from '../session/session.ts'

/** A change of an account that ends the browser's session, so that a repeated request is refused. */
export interface Deed {
  readonly kind: 'password' | 'deletion'
  readonly username: string
  /** The password that the account has if the change of the password was made, or if the deletion was not. */
  readonly password: string
}

interface Deps {
  readonly api: Pick<Api, 'login'>
  readonly session: Pick<SessionKeeper, 'signedIn'>
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
 * Finds out whether a refused change was made, because a proxy may have repeated the request, or lost the first
 * answer. Logs in once, and never with the old password of a change.
 *
 * @param isRepeated - Whether the page has sent the request more than once.
 * @returns the outcome of the change, or a problem that says what is so
 */
export async function lookAgain(
  { api, session }: Deps,
  { kind, username, password }: Deed,
  refusal: Problem,
  isRepeated: boolean,
): Promise<Answer<null>> {
  const { code } = refusal
  const isWrongPassword = code === 'invalid_password'
  const isDoubtful =
    code === 'login_required' || code === 'password_changed' || (isWrongPassword && isRepeated)
  if (!isDoubtful || username === '') return refusal

  const look = await persist(() => api.login({ username, password }), RETRY_LOST_ANSWERS)
  if (look.ok) {
    session.signedIn(look.body)
    return kind === 'password' ? DONE : pageProblem('unavailable', NOT_DELETED)
  }
  // The session has not ended, so the password that the user typed is wrong.
  if (isWrongPassword && look.code === 'invalid_password') return refusal
  if (kind === 'deletion' && look.code === 'unknown_username') return DONE
  return pageProblem('login_required', describe(kind, look))
}

function describe(kind: Deed['kind'], look: Problem): string {
  if (kind === 'password' && look.code === 'account_banned') return `${CHANGED_AND_BANNED} ${look.title}.`
  if (kind === 'password' && look.code === 'invalid_password') return OTHER_PASSWORD
  return UNKNOWN[kind]
}
