import type { FastifyInstance } from 'fastify'
import { CALLS, type SignedIn } from '../../contract/api.ts'
import { checkName, nameKey } from '../../contract/name.ts'
import { changePassword, deleteAccount } from '../users/account-settings.ts'
import { createAccount, signIn } from '../users/sign-in.ts'
import type { HashClient } from '../users/hash-queue.ts'
import { requireOwner } from './callers.ts'
import { throttleLogin } from '../limits/login-throttle.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { type RequestContext, serve } from './route.ts'

/** The calls that open, change and end accounts and their sessions. */
export function addAccounts(app: FastifyInstance, services: Services): void {
  addSignIns(app, services)
  addSettings(app, services)
}

function addSignIns(app: FastifyInstance, services: Services): void {
  const { cookies, endSession, heartbeat, limits } = services

  serve(
    app,
    services,
    CALLS.login,
    async ({ body: { username = '', password = '' }, request, reply, address }) => {
      if (username.trim() === '' || password === '') throw new Problem('missing_credentials')
      const check = checkName(username)
      // What cannot be a name belongs to no account, and would take longest to compare.
      if (!check.ok) throw new Problem('unknown_username')
      const deps = hashingFor(services, { address, user: nameAt(address, check.name) })
      const session = await throttleLogin(limits, address, check.name, () =>
        signIn(deps, { username: check.name, password, ...cookies.read(request) }),
      )
      return answerSignedIn(services, { request, reply }, session)
    },
  )

  serve(app, services, CALLS.createAccount, async ({ body, request, reply, address }) => {
    const { username, password } = body
    const check = checkName(username)
    if (!check.ok) throw new Problem('bad_username', { title: check.problem })
    const deps = hashingFor(services, { address, user: nameAt(address, check.name) })
    const { session, created } = await throttleLogin(limits, address, check.name, () =>
      createAccount(deps, { username: check.name, password, ...cookies.read(request) }),
    )
    if (created) {
      heartbeat.ask()
      reply.code(201)
    }
    return answerSignedIn(services, { request, reply }, session)
  })

  serve(app, services, CALLS.logout, async ({ request, reply }) => {
    const { session } = cookies.read(request)
    // The guest's cookie holds the guest's prize: ending a session that was already over must not remove it.
    if (session && (await endSession(session))) cookies.clear(reply)
    else if (session) cookies.clearSession(reply)
    reply.code(204)
    return null
  })
}

function addSettings(app: FastifyInstance, services: Services): void {
  const { cookies, heartbeat, limits, securityLog } = services

  serve(app, services, CALLS.changePassword, async ({ body, caller, request, reply, address }) => {
    const { user } = requireOwner(caller)
    securityLog.setUser(request, user.id)
    const deps = hashingFor(services, { address, user: `user ${user.id}` })
    const session = await throttleLogin(limits, address, user.username, () =>
      changePassword(deps, user, body.password, body.new_password),
    )
    cookies.setSession(reply, session)
    reply.code(204)
    return null
  })

  serve(app, services, CALLS.deleteAccount, async ({ body, caller, request, reply, address }) => {
    const owner = requireOwner(caller)
    securityLog.setUser(request, owner.user.id)
    const deps = hashingFor(services, { address, user: `user ${owner.user.id}` })
    await throttleLogin(limits, address, owner.user.username, () => deleteAccount(deps, owner, body.password))
    heartbeat.ask()
    cookies.clear(reply)
    reply.code(204)
    return null
  })
}

/** The services, with password hashing on behalf of this client. */
function hashingFor(services: Services, client: HashClient) {
  return { ...services, passwords: services.passwordHasher.for(client) }
}

async function answerSignedIn(
  { cookies, identities, rounds, securityLog }: Services,
  { request, reply }: Pick<RequestContext, 'request' | 'reply'>,
  session: string,
): Promise<SignedIn> {
  const identity = await identities.authenticate({ session, guest: null })
  if (!identity?.user) throw new Problem('unavailable', { retryAfter: 1 })
  const { user, prize, player, last } = identity
  cookies.setSession(reply, session)
  securityLog.setUser(request, user.id)
  return { user, prize, round: rounds.issueNext(player, last) }
}

/** Identifies a waiting login by address and name: by the name alone, guessers elsewhere would keep its owner out. */
function nameAt(address: string, username: string): string {
  return `${address} ${nameKey(username)}`
}
