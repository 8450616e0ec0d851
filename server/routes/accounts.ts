import type { FastifyInstance } from 'fastify'
import { CALLS, type SignedIn } from '../../contract/api.ts'
import { checkName, nameKey } from '../../contract/name.ts'
import { changePassword, deleteAccount } from '../identity/account-settings.ts'
import { createAccount, signIn } from '../identity/accounts.ts'
import type { HashClient } from '../identity/passwords.ts'
import { throttleLogin } from '../limits/login-throttle.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { type Exchange, serve } from './route.ts'

/** The calls that open, change and end accounts and their sessions. */
export function addAccounts(app: FastifyInstance, services: Services): void {
  addSignIns(app, services)
  addSettings(app, services)
}

function addSignIns(app: FastifyInstance, services: Services): void {
  const { cookies, endSession, heartbeat, limits, visitors } = services

  serve(app, CALLS.login, async ({ body: { username = '', password = '' }, request, reply, address }) => {
    if (username.trim() === '' || password === '') throw new Problem('missing_credentials')
    limits.take('logins', address)
    const check = checkName(username)
    // What cannot be a name belongs to no account, and would take longest to compare.
    if (!check.ok) {
      limits.take('unknownNames', address)
      throw new Problem('unknown_username')
    }
    const deps = hashingFor(services, { address, account: nameAt(address, check.name) })
    const session = await throttleLogin(limits, address, check.name, () =>
      signIn(deps, { username: check.name, password, ...cookies.read(request) }),
    )
    return answerSignedIn(services, { request, reply }, session)
  })

  serve(app, CALLS.createAccount, async ({ body: { username, password }, request, reply, address }) => {
    limits.take('signUpCalls', address)
    const check = checkName(username)
    if (!check.ok) throw new Problem('bad_username', { title: check.problem })
    const deps = hashingFor(services, { address, account: nameAt(address, check.name), isNew: true })
    const { session, created } = await throttleLogin(limits, address, check.name, () =>
      createAccount(deps, { username: check.name, password, ...cookies.read(request) }),
    )
    if (created) {
      heartbeat.ask()
      reply.code(201)
    }
    return answerSignedIn(services, { request, reply }, session)
  })

  serve(app, CALLS.logout, async exchange => {
    const { request, reply } = exchange
    await visitors.find(CALLS.logout.limit, exchange)
    const { session } = cookies.read(request)
    // The guest's cookie holds the guest's prize: ending a session that was already over must not remove it.
    if (session && (await endSession(session))) cookies.clear(reply)
    else if (session) cookies.clearSession(reply)
    reply.code(204)
    return null
  })
}

function addSettings(app: FastifyInstance, services: Services): void {
  const { cookies, heartbeat, limits, securityLog, visitors } = services

  serve(app, CALLS.changePassword, async ({ body, request, reply, address }) => {
    limits.take('logins', address)
    const { user } = await visitors.findOwner(request)
    securityLog.name(request, user.id)
    const deps = hashingFor(services, { address, account: `account ${user.id}` })
    const session = await throttleLogin(limits, address, user.username, () =>
      changePassword(deps, user, body.password, body.new_password),
    )
    cookies.setSession(reply, session)
    reply.code(204)
    return null
  })

  serve(app, CALLS.deleteAccount, async ({ body, request, reply, address }) => {
    limits.take('logins', address)
    const owner = await visitors.findOwner(request)
    securityLog.name(request, owner.user.id)
    const deps = hashingFor(services, { address, account: `account ${owner.user.id}` })
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
  { request, reply }: Pick<Exchange, 'request' | 'reply'>,
  session: string,
): Promise<SignedIn> {
  const identity = await identities.authenticate({ session, guest: null })
  if (!identity?.user) throw new Problem('unavailable', { retryAfter: 1 })
  const { user, prize, player, last } = identity
  cookies.setSession(reply, session)
  securityLog.name(request, user.id)
  return { user, prize, round: rounds.issueNext(player, last) }
}

/** Identifies a waiting login by address and name: by the name alone, guessers elsewhere would keep its owner out. */
function nameAt(address: string, username: string): string {
  return `${address} ${nameKey(username)}`
}
