import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ENDPOINTS, type SignedIn } from '../../contract/api.ts'
import { checkName } from '../../contract/name.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import type { Database } from '../database/connection.ts'
import { throttleLogin } from '../limits/limiter.ts'
import type { DatabasePoller } from '../live/poller.ts'
import { changePassword, deleteAccount } from '../people/account.ts'
import { requireUser } from '../people/caller.ts'
import type { PasswordHasher } from '../people/passwords.ts'
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
    const { request, limitKey } = context
    const sessionToken = await logRefusal(request, SIGN_IN_REFUSED, async () => {
      const check = checkName(username)
      // An invalid name has no account, and is slow to compare.
      if (!check.ok) throw new Problem('unknown_username')
      const hashing = hashingFor(accounts, limitKey)
      return throttleLogin(limits, limitKey, check.name, () =>
        signIn(hashing, { username: check.name, password, ...cookies.read(request) }),
      )
    })
    return answerSignedIn(deps, context, sessionToken, 'signed in')
  })

  serve(app, deps, ENDPOINTS.createAccount, async context => {
    const { username, password } = context.body
    const check = checkName(username)
    if (!check.ok) throw new Problem('bad_username', { title: check.problem })
    const { request, reply, limitKey } = context
    const hashing = hashingFor(accounts, limitKey)
    // Otherwise sign-ups would allow more guesses than logins do.
    const chargeLogin = () => limits.take(['logins', limitKey])
    const { sessionToken, created } = await logRefusal(request, SIGN_IN_REFUSED, () =>
      throttleLogin(limits, limitKey, check.name, () =>
        createAccount(hashing, { username: check.name, password, ...cookies.read(request) }, chargeLogin),
      ),
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
  const { accounts, cookies, limits, poller } = deps

  serve(app, deps, ENDPOINTS.changePassword, async ({ body, caller, request, reply, limitKey }) => {
    const hashing = hashingFor(accounts, limitKey)
    const userId = caller?.state?.user?.id
    const change = async () => {
      const { user } = requireUser(caller)
      return throttleLogin(limits, limitKey, user.username, () =>
        changePassword(hashing, user, body.password, body.new_password),
      )
    }
    cookies.setSession(reply, await logRefusal(request, PASSWORD_KEPT, change, userId))
    logEvent(request, 'password changed', userId)
    reply.code(204)
    return null
  })

  serve(app, deps, ENDPOINTS.deleteAccount, async ({ body, caller, request, reply, limitKey }) => {
    const hashing = hashingFor(accounts, limitKey)
    const userId = caller?.state?.user?.id
    const remove = async () => {
      const owner = requireUser(caller)
      await throttleLogin(limits, limitKey, owner.user.username, () =>
        deleteAccount(hashing, owner, body.password),
      )
    }
    await logRefusal(request, ACCOUNT_KEPT, remove, userId)
    logEvent(request, 'account deleted', userId)
    poller.requestPoll()
    cookies.clear(reply)
    reply.code(204)
    return null
  })
}

function hashingFor(accounts: Accounts, address: string) {
  return { ...accounts, passwords: accounts.passwordHasher.for(address) }
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

/** Logs the refusals that `events` names. */
async function logRefusal<Result>(
  request: FastifyRequest,
  events: Events,
  act: () => Promise<Result>,
  user?: number,
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const event = events[error.code]
    if (event) logEvent(request, event, user ?? error.details.account, 'warn')
    throw error
  }
}
