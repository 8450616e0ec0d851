import type { FastifyInstance } from 'fastify'
import { ENDPOINTS, type SignedIn } from '../../contract/api.ts'
import { checkName } from '../../contract/name.ts'
import { requireUser } from '../callers/caller.ts'
import type { Play } from '../game/open-play.ts'
import type { SecurityLog } from '../http/security-log.ts'
import { throttleLogin } from '../limits/login-throttle.ts'
import { Problem } from '../problem.ts'
import { changePassword, deleteAccount } from '../users/account-settings.ts'
import type { Accounts } from '../users/open-accounts.ts'
import { createAccount, signIn } from '../users/sign-in.ts'
import { type RequestContext, type RouteDeps, serve } from './route.ts'

interface Deps extends RouteDeps {
  readonly accounts: Accounts
  readonly play: Pick<Play, 'poller' | 'rounds'>
  readonly securityLog: SecurityLog
}

export function addAccounts(app: FastifyInstance, deps: Deps): void {
  addSignIns(app, deps)
  addSettings(app, deps)
}

function addSignIns(app: FastifyInstance, deps: Deps): void {
  const { accounts, cookies, limits, play } = deps

  serve(app, deps, ENDPOINTS.login, async context => {
    const { username = '', password = '' } = context.body
    if (username.trim() === '' || password === '') throw new Problem('missing_credentials')
    const check = checkName(username)
    // An invalid name has no account, and is slow to compare.
    if (!check.ok) throw new Problem('unknown_username')
    const { request, limitKey } = context
    const hashing = hashingFor(accounts, limitKey)
    const sessionToken = await throttleLogin(limits, limitKey, check.name, () =>
      signIn(hashing, { username: check.name, password, ...cookies.read(request) }),
    )
    return answerSignedIn(deps, context, sessionToken)
  })

  serve(app, deps, ENDPOINTS.createAccount, async context => {
    const { username, password } = context.body
    const check = checkName(username)
    if (!check.ok) throw new Problem('bad_username', { title: check.problem })
    const { request, reply, limitKey } = context
    const hashing = hashingFor(accounts, limitKey)
    const { sessionToken, created } = await throttleLogin(limits, limitKey, check.name, () =>
      createAccount(hashing, { username: check.name, password, ...cookies.read(request) }),
    )
    if (created) {
      play.poller.requestPoll()
      reply.code(201)
    }
    return answerSignedIn(deps, context, sessionToken)
  })

  serve(app, deps, ENDPOINTS.logout, async ({ request, reply }) => {
    const { sessionToken } = cookies.read(request)
    // Keeps the guest cookie when the session had expired, so that the guest does not lose a held prize.
    if (sessionToken && (await accounts.endSession(sessionToken))) cookies.clear(reply)
    else if (sessionToken) cookies.clearSession(reply)
    reply.code(204)
    return null
  })
}

function addSettings(app: FastifyInstance, deps: Deps): void {
  const { accounts, cookies, limits, play, securityLog } = deps

  serve(app, deps, ENDPOINTS.changePassword, async ({ body, caller, request, reply, limitKey }) => {
    const { user } = requireUser(caller)
    securityLog.setUser(request, user.id)
    const hashing = hashingFor(accounts, limitKey)
    const sessionToken = await throttleLogin(limits, limitKey, user.username, () =>
      changePassword(hashing, user, body.password, body.new_password),
    )
    cookies.setSession(reply, sessionToken)
    reply.code(204)
    return null
  })

  serve(app, deps, ENDPOINTS.deleteAccount, async ({ body, caller, request, reply, limitKey }) => {
    const owner = requireUser(caller)
    const { user } = owner
    securityLog.setUser(request, user.id)
    const hashing = hashingFor(accounts, limitKey)
    await throttleLogin(limits, limitKey, user.username, () => deleteAccount(hashing, owner, body.password))
    play.poller.requestPoll()
    cookies.clear(reply)
    reply.code(204)
    return null
  })
}

function hashingFor(accounts: Accounts, address: string) {
  return { ...accounts, passwords: accounts.passwordHasher.for(address) }
}

async function answerSignedIn(
  { authenticator, cookies, play, securityLog }: Deps,
  { request, reply }: Pick<RequestContext, 'request' | 'reply'>,
  sessionToken: string,
): Promise<SignedIn> {
  const state = await authenticator.authenticate({ sessionToken, guestId: null })
  if (!state?.user) throw new Problem('unavailable', { retryAfter: 1 })
  const { user, prize, playerId, lastAttempt } = state
  cookies.setSession(reply, sessionToken)
  securityLog.setUser(request, user.id)
  return { user, prize, round: play.rounds.issueNext(playerId, lastAttempt) }
}
