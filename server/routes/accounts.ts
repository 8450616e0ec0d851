import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ENDPOINTS, type SignedIn } from '../../contract/api.ts'
import { checkName } from '../../contract/name.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import { throttleLogin } from '../limits/login-throttle.ts'
import { changePassword, deleteAccount } from '../people/account.ts'
import { requireUser } from '../people/player.ts'
import { endSession } from '../people/sessions.ts'
import { createAccount, signIn } from '../people/sign-in.ts'
import { Problem } from '../problem.ts'
import { type RequestContext, type Services, serve } from './route.ts'

type Events = Readonly<Partial<Record<ProblemCode, string>>>

const SIGN_IN_REFUSED: Events = {
  account_banned: 'banned account',
  invalid_password: 'wrong password',
  unknown_username: 'unknown name',
  username_taken: 'wrong password for a taken name',
}
const PASSWORD_KEPT: Events = { invalid_password: 'password not changed' }
const ACCOUNT_KEPT: Events = { invalid_password: 'account not deleted' }

export function addAccounts(app: FastifyInstance, services: Services): void {
  addSignIns(app, services)
  addSettings(app, services)
}

function addSignIns(app: FastifyInstance, services: Services): void {
  const { cookies, database, limits, poller } = services

  serve(app, services, ENDPOINTS.login, async context => {
    const { username = '', password = '' } = context.body
    const check = checkName(username)
    if ((!check.ok && check.blank) || password === '') throw new Problem('missing_credentials')
    // An invalid name has no account, and is slow to compare.
    const name = check.ok ? check.name : ''
    const account = { username: name, password, ...cookies.read(context.request) }
    const sessionToken = await loggingRefusals(context, SIGN_IN_REFUSED, () =>
      throttleLogin(limits, context.address, name, () => signIn(services, context.address, account)),
    )
    return answerSignedIn(services, context, sessionToken, 'signed in')
  })

  serve(app, services, ENDPOINTS.createAccount, async context => {
    const { address, body, request, reply } = context
    const check = checkName(body.username)
    if (!check.ok) throw new Problem('bad_username', { title: check.problem })
    const account = { username: check.name, password: body.password, ...cookies.read(request) }
    const { sessionToken, created } = await loggingRefusals(context, SIGN_IN_REFUSED, () =>
      throttleLogin(limits, address, check.name, () => createAccount(services, address, account)),
    )
    if (created) {
      poller.requestPoll()
      reply.code(201)
    }
    return answerSignedIn(services, context, sessionToken, created ? 'account created' : 'signed in')
  })

  serve(app, services, ENDPOINTS.logout, async ({ request, reply }) => {
    const { sessionToken } = cookies.read(request)
    const user = sessionToken ? await endSession(database, sessionToken) : undefined
    cookies.endSession(reply)
    if (user !== undefined) logEvent(request, 'signed out', user)
    reply.code(204)
    return null
  })
}

function addSettings(app: FastifyInstance, services: Services): void {
  const { cookies, limits, poller } = services

  serve(app, services, ENDPOINTS.changePassword, async context => {
    const { address, body, caller, request, reply } = context
    const { user } = requireUser(caller)
    // Only a user's call hashes, so a stranger's must not use up the limit.
    limits.take('ownPasswordsOfAddress', address)
    const sessionToken = await loggingRefusals(context, PASSWORD_KEPT, () =>
      changePassword(services, address, user, body.password, body.new_password),
    )
    cookies.setSession(reply, sessionToken)
    logEvent(request, 'password changed', user.id)
    reply.code(204)
    return null
  })

  serve(app, services, ENDPOINTS.deleteAccount, async context => {
    const { address, body, caller, request, reply } = context
    const owner = requireUser(caller)
    limits.take('ownPasswordsOfAddress', address)
    await loggingRefusals(context, ACCOUNT_KEPT, () => deleteAccount(services, address, owner, body.password))
    logEvent(request, 'account deleted', owner.user.id)
    poller.requestPoll()
    cookies.endSession(reply)
    reply.code(204)
    return null
  })
}

/** Runs an act, and logs the refusals that `events` names. */
async function loggingRefusals<Result>(
  { caller, request }: Pick<RequestContext, 'caller' | 'request'>,
  events: Events,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const event = events[error.code]
    if (event) logEvent(request, event, error.details.account ?? caller?.state?.user?.id, 'warn')
    throw error
  }
}

async function answerSignedIn(
  { authenticate, cookies, rounds }: Services,
  { request, reply }: Pick<RequestContext, 'request' | 'reply'>,
  sessionToken: string,
  event: string,
): Promise<SignedIn> {
  const state = await authenticate({ sessionToken, guestId: null })
  if (!state?.user) throw new Problem('unavailable', { retryAfter: 1 })
  const { user, prize, playerId, lastAttempt } = state
  cookies.setSession(reply, sessionToken)
  logEvent(request, event, user.id)
  return { user, prize, round: rounds.issueNext(playerId, lastAttempt) }
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
