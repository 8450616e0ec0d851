import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { CALLS, type Call, type Round, type SignedIn } from '../contract/api.ts'
import { attemptsOf, recentAttempts } from './game/attempts.ts'
import { leaderboard, rankOf } from './game/leaderboard.ts'
import { record, type Sender, start } from './game/play.ts'
import { claim, prizePool } from './game/prizes.ts'
import { hidesCookies } from './http/cross-site.ts'
import { changePassword, deleteAccount, type Owner } from './identity/account-settings.ts'
import { createAccount, endSession, signIn } from './identity/accounts.ts'
import { type Credentials, type Identity, newGuest } from './identity/identity.ts'
import { shared } from './lib/batch.ts'
import { addressKey } from './limits/address.ts'
import { throttleLogin } from './limits/login-throttle.ts'
import { Problem } from './problem.ts'
import type { Services } from './services.ts'

type BodyOf<C extends Call> = C extends { body: infer Body extends TSchema } ? Static<Body> : undefined
type AnswerOf<C extends Call> =
  C['answers'] extends Record<number, infer Answer extends TSchema> ? Static<Answer> : never

/** One request on its way through its handler. */
interface Exchange<C extends Call> {
  readonly body: BodyOf<C>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** What stands for the address of the request in a limit. */
  readonly address: string
  /** When the request arrived: wall clock, ms since the epoch. */
  readonly at: number
}

/** Wires every call of the contract to what it does. */
export function addCalls(app: FastifyInstance, services: Services): void {
  const { database, cookies, identities, limits, metrics, pubsub, rounds, securityLog } = services

  function on<C extends Call>(call: C, handler: (exchange: Exchange<C>) => Promise<AnswerOf<C>>): void {
    app.route({
      method: call.method,
      url: call.url,
      schema: { summary: call.summary, response: call.answers, ...(call.body && { body: call.body }) },
      config: { call },
      handler: (request, reply) => {
        const at = Date.now()
        if (!call.body && hasContent(request.body)) throw new Problem('invalid_request')
        const address = addressKey(request.ip)
        limits.take(call.limit, address)
        return handler({ body: request.body as BodyOf<C>, request, reply, address, at })
      },
    })
  }

  function createGuest(request: FastifyRequest, reply: FastifyReply): Identity {
    limits.take('identities', addressKey(request.ip))
    const identity = newGuest()
    if (!hidesCookies(request)) cookies.setGuest(reply, identity.player)
    return identity
  }

  async function identify(
    request: FastifyRequest,
    reply: FastifyReply,
    credentials = cookies.read(request),
  ): Promise<Identity> {
    return (await identities.authenticate(credentials)) ?? createGuest(request, reply)
  }

  function nextRound({ player, last }: Pick<Identity, 'player' | 'last'>): Round {
    return rounds.issue(rounds.next(player, last))
  }

  on(CALLS.session, async ({ request, reply }) => {
    const identity = await identify(request, reply)
    const { user, prize } = identity
    const rank = user && (await rankOf(database, user))
    return { user, rank, prize, round: nextRound(identity) }
  })

  /** The player of a request, and the credentials by which to find out more. */
  async function identifySender(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Sender & { credentials: Credentials }> {
    const credentials = cookies.read(request)
    const { session, guest } = credentials
    // A guest's signed cookie says enough without a read.
    if (guest && !session) return { player: guest, user: null, last: null, credentials }
    const known = await identities.authenticate(credentials)
    if (known) return { ...known, credentials }
    const newcomer = createGuest(request, reply)
    return { ...newcomer, credentials: { session: null, guest: newcomer.player } }
  }

  on(CALLS.startRound, async ({ body, request, reply, at }) => {
    const sender = await identifySender(request, reply)
    limits.take('rounds', sender.player)
    const started = await start(services, sender, body, at)
    if (started) {
      reply.code(201)
      return started
    }
    const identity = await identify(request, reply, sender.credentials)
    throw new Problem('stale_round', { round: nextRound(identity) })
  })

  on(CALLS.recordAttempt, async ({ body, request, reply, at }) => {
    const sender = await identifySender(request, reply)
    limits.take('rounds', sender.player)
    const outcome = await record(services, sender, body, at)
    const recorded = outcome.kind === 'recorded'
    // Of what was recorded just now the database has said all; of the rest nothing is known yet.
    const { player, last, prize } = recorded
      ? { ...outcome, player: sender.player }
      : await identify(request, reply, sender.credentials)
    const round = nextRound({ player, last })
    if (outcome.kind === 'refused') throw new Problem(outcome.code, { round })
    const { attempt, reason } = outcome
    reply.code(recorded ? 201 : 200)
    return { attempt, verified: attempt.verified, reason, prize, round }
  })

  on(
    CALLS.recentAttempts,
    shared(() => recentAttempts(database)),
  )
  on(
    CALLS.leaderboard,
    shared(() => leaderboard(database)),
  )
  on(
    CALLS.prizePool,
    shared(() => prizePool(database)),
  )

  on(CALLS.myAttempts, async ({ request }) => {
    const identity = await identities.authenticate(cookies.read(request))
    return identity ? attemptsOf(database, identity.player) : { attempts: [] }
  })

  on(CALLS.login, async ({ body: { username = '', password = '' }, request, reply, address }) => {
    if (username.trim() === '' || password === '') throw new Problem('missing_credentials')
    const session = await throttleLogin(limits, address, username, () =>
      signIn(services, { username, password, ...cookies.read(request) }),
    )
    return signedIn(reply, session)
  })

  on(CALLS.createAccount, async ({ body: { username, password }, request, reply, address }) => {
    const beforeCreation = () => limits.take('signUps', address)
    const { session, created } = await throttleLogin(limits, address, username, () =>
      createAccount(services, { username, password, ...cookies.read(request) }, beforeCreation),
    )
    if (created) {
      pubsub.publish('leaderboard')
      reply.code(201)
    }
    return signedIn(reply, session)
  })

  async function signedIn(reply: FastifyReply, session: string): Promise<SignedIn> {
    const identity = await identities.find({ session, guest: null })
    if (!identity?.user) throw new Problem('unavailable', { retryAfter: 1 })
    cookies.setSession(reply, session)
    const { user, prize } = identity
    securityLog.name(reply.request, user.id)
    return { user, prize, round: nextRound(identity) }
  }

  on(CALLS.logout, async ({ request, reply }) => {
    const { session } = cookies.read(request)
    // A guest's held prize hangs on the guest's cookie, which a session that was over leaves alone.
    if (session && (await endSession(database, session))) cookies.clear(reply)
    else if (session) cookies.clearSession(reply)
    reply.code(204)
    return null
  })

  /** @throws Problem `login_required` */
  async function authenticateOwner(request: FastifyRequest): Promise<Owner> {
    const identity = await identities.authenticate(cookies.read(request))
    if (!identity?.user) throw new Problem('login_required')
    securityLog.name(request, identity.user.id)
    return { ...identity, user: identity.user }
  }

  on(CALLS.claim, async ({ request }) => {
    const { player, user } = await authenticateOwner(request)
    limits.take('claims', player)
    const claimed = await claim(database, user)
    if (claimed.taps > 0) pubsub.publish('leaderboard', 'attempts')
    return claimed
  })

  on(CALLS.changePassword, async ({ body, request, reply, address }) => {
    const { user } = await authenticateOwner(request)
    const { session } = cookies.read(request)
    if (!session) throw new Problem('login_required')
    const next = await throttleLogin(limits, address, user.username, () =>
      changePassword(services, user, session, body.password, body.new_password),
    )
    cookies.setSession(reply, next)
    reply.code(204)
    return null
  })

  on(CALLS.deleteAccount, async ({ body, request, reply, address }) => {
    const owner = await authenticateOwner(request)
    const taps = await throttleLogin(limits, address, owner.user.username, () =>
      deleteAccount(services, owner, body.password),
    )
    metrics.returned.inc(taps)
    pubsub.publish('prize_pool', 'leaderboard', 'attempts')
    cookies.clear(reply)
    reply.code(204)
    return null
  })
}

function hasContent(body: unknown): boolean {
  return body !== undefined && body !== null && (typeof body !== 'object' || Object.keys(body).length > 0)
}
