import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ENDPOINTS, type SignedIn } from '../../contract/api.ts'
import { checkName } from '../../contract/name.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import type { Database } from '../database/connection.ts'
import { throttleLogin } from '../limits/limiter.ts'
import type { DatabasePoller } from '../live/poller.ts'
import { changePassword, deleteAccount } from '../people/account.ts'
import { requireUser } from '../people/caller.ts'
import type { PasswordHasher, Passwords } from '../people/passwords.ts'
import type { RefusedNameCheck } from '../people/refused-words.ts'
import type { createEndSession } from '../people/sessions.ts'
import { createAccount, signIn } from '../people/sign-in.ts'
import type { Play } from '../play/play.ts'
import { Problem } from '../problem.ts'
import { type RequestContext, type RouteDeps, serve } from './route.ts'

interface Deps extends RouteDeps {
  readonly accounts: Accounts
  readonly play: Pick<Play, 'rounds'>
  readonly poller: Pick<DatabasePoller, 'requestPoll'>
}

interface Accounts {
  readonly database: Database
  readonly endSession: ReturnType<typeof createEndSession>
  readonly isRefusedName: RefusedNameCheck
  readonly passwordHasher: PasswordHasher
}

type Events = Readonly<Partial<Record<ProblemCode, string>>>

const SIGN_IN_REFUSED: Events = {
  account_banned: 'banned account',
  invalid_password: 'wrong password',
  unknown_username: 'unknown name',
  username_taken: 'wrong password for a taken name',
}
const PASSWORD_KEPT: Events = {
  invalid_password: 'password not changed',
  login_required: 'password not changed',
}
const ACCOUNT_KEPT: Events = {
  invalid_password: 'account not deleted',
  login_required: 'account not deleted',
}

export function addAccounts(app: FastifyInstance, deps: Deps): void {
  addSignIns(app, deps)
  addSettings(app, deps)
}

function addSignIns(app: FastifyInstance, deps: Deps): void {
  const { accounts, cookies, limits, poller } = deps

  serve(app, deps, ENDPOINTS.login, async context => {
    const { username = '', password = '' } = context.body
    if (username.trim() === '' || password === '') throw new Problem('missing_credentials')
    const check = checkName(username)
    const name = check.ok ? check.name : ''
    const sessionToken = await withPassword(deps, context, SIGN_IN_REFUSED, name, hashing => {
      // An invalid name has no account, and is slow to compare.
      if (!check.ok) throw new Problem('unknown_username')
      return signIn(hashing, { username: name, password, ...cookies.read(context.request) })
    })
    return answerSignedIn(deps, context, sessionToken, 'signed in')
  })

  serve(app, deps, ENDPOINTS.createAccount, async context => {
    const { body, request, reply, limitKey } = context
    const check = checkName(body.username)
    if (!check.ok) throw new Problem('bad_username', { title: check.problem })
    const account = { username: check.name, password: body.password, ...cookies.read(request) }
    // Otherwise sign-ups would allow more guesses than logins do.
    const chargeLogin = () => limits.take(['logins', limitKey])
    const { sessionToken, created } = await withPassword(
      deps,
      context,
      SIGN_IN_REFUSED,
      check.name,
      hashing => createAccount(hashing, account, chargeLogin),
    )
    if (created) {
      poller.requestPoll()
      reply.code(201)
    }
    return answerSignedIn(deps, context, sessionToken, created ? 'account created' : 'signed in')
  })

  serve(app, deps, ENDPOINTS.logout, async ({ request, reply }) => {
    const { sessionToken } = cookies.read(request)
    // Keeps the guest cookie when the session had expired, so that the guest does not lose a held prize.
    if (sessionToken && (await accounts.endSession(sessionToken))) cookies.clear(reply)
    else if (sessionToken) cookies.clearSession(reply)
    logEvent(request, 'signed out')
    reply.code(204)
    return null
  })
}

function addSettings(app: FastifyInstance, deps: Deps): void {
  const { cookies, poller } = deps

  serve(app, deps, ENDPOINTS.changePassword, async context => {
    const { body, caller, request, reply } = context
    const user = caller?.state?.user
    const sessionToken = await withPassword(deps, context, PASSWORD_KEPT, user?.username, hashing =>
      changePassword(hashing, requireUser(caller).user, body.password, body.new_password),
    )
    cookies.setSession(reply, sessionToken)
    logEvent(request, 'password changed', user?.id)
    reply.code(204)
    return null
  })

  serve(app, deps, ENDPOINTS.deleteAccount, async context => {
    const { body, caller, request, reply } = context
    const user = caller?.state?.user
    await withPassword(deps, context, ACCOUNT_KEPT, user?.username, hashing =>
      deleteAccount(hashing, requireUser(caller), body.password),
    )
    logEvent(request, 'account deleted', user?.id)
    poller.requestPoll()
    cookies.clear(reply)
    reply.code(204)
    return null
  })
}

type Context = Pick<RequestContext, 'caller' | 'limitKey' | 'request'>

/** Runs an act that compares the password of a name: throttles it, and logs the refusals that `events` names. */
async function withPassword<Result>(
  { accounts, limits }: Deps,
  { caller, limitKey, request }: Context,
  events: Events,
  username = '',
  act: (hashing: Accounts & { readonly passwords: Passwords }) => Promise<Result>,
): Promise<Result> {
  try {
    const hashing = { ...accounts, passwords: accounts.passwordHasher.for(limitKey) }
    return await throttleLogin(limits, limitKey, username, async () => act(hashing))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const event = events[error.code]
    if (event) logEvent(request, event, error.details.account ?? caller?.state?.user?.id, 'warn')
    throw error
  }
}

async function answerSignedIn(
  { authenticator, cookies, play }: Deps,
  { request, reply }: Pick<RequestContext, 'request' | 'reply'>,
  sessionToken: string,
  event: string,
): Promise<SignedIn> {
  const state = await authenticator.authenticate({ sessionToken, guestId: null })
  if (!state?.user) throw new Problem('unavailable', { retryAfter: 1 })
  const { user, prize, playerId, lastAttempt } = state
  cookies.setSession(reply, sessionToken)
  logEvent(request, event, user.id)
  return { user, prize, round: play.rounds.issueNext(playerId, lastAttempt) }
}

/** Logs an event, without names or passwords. */
function logEvent(
  request: FastifyRequest,
  event: string,
  user?: number,
  level: 'info' | 'warn' = 'info',
): void {
  request.log[level]({ path: request.routeOptions.url, user, address: request.ip }, event)
}
