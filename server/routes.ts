import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { CALLS, type Call, type SignedIn } from '../contract/api.ts'
import { attemptsOf, recentAttempts } from './game/attempts.ts'
import { shared } from './game/batch.ts'
import { leaderboard, rankOf } from './game/leaderboard.ts'
import { record, type Sender, start } from './game/play.ts'
import { claim, prizePool } from './game/prizes.ts'
import { hidesCookies } from './http/cross-site.ts'
import { safeHeaders } from './http/headers.ts'
import { secureCheck } from './http/secure.ts'
import { addressKey } from './limits/address.ts'
import type { LimitName } from './limits/limits.ts'
import type { Owner } from './people/account-changes.ts'
import type { SignInRequest } from './people/accounts.ts'
import { newVisitor, type Visitor } from './people/visitors.ts'
import { Refusal } from './problem.ts'
import type { Services } from './services.ts'

/** When there is no room for another live stream: about how often one of many ends, in seconds. */
const STREAMS_RETRY_S = 10

type BodyOf<C extends Call> = C extends { body: infer Body extends TSchema } ? Static<Body> : undefined
type AnswerOf<C extends Call> =
  C['answers'] extends Record<number, infer Answer extends TSchema> ? Static<Answer> : never

/** One request on its way through its handler. */
interface Exchange<C extends Call> {
  readonly body: BodyOf<C>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Wires every call of the contract to what it does. */
export function addRoutes(app: FastifyInstance, services: Services): void {
  const { database, accounts, accountChanges, cookies, doorman, events } = services
  const { limits, live, metrics, rounds, streams, visitors } = services
  const headersOf = safeHeaders(secureCheck(services.env))

  function on<C extends Call>(call: C, handler: (exchange: Exchange<C>) => Promise<AnswerOf<C>>): void {
    app.route({
      method: call.method,
      url: call.url,
      schema: { summary: call.summary, response: call.answers, ...(call.body && { body: call.body }) },
      config: { call },
      handler: (request, reply) => {
        if (!call.body && hasContent(request.body)) throw new Refusal('invalid_request')
        return handler({ body: request.body as BodyOf<C>, request, reply })
      },
    })
  }

  function limit(request: FastifyRequest, name: LimitName): void {
    limits.take(name, addressKey(request.ip))
  }

  function welcome(request: FastifyRequest, reply: FastifyReply): Visitor {
    limit(request, 'identities')
    const visitor = newVisitor()
    if (!hidesCookies(request)) cookies.setGuest(reply, visitor.player)
    return visitor
  }

  async function recognise(request: FastifyRequest, reply: FastifyReply): Promise<Visitor> {
    return (await visitors.recognise(cookies.read(request))) ?? welcome(request, reply)
  }

  on(CALLS.session, async ({ request, reply }) => {
    limit(request, 'reads')
    const credentials = cookies.read(request)
    let visitor = await visitors.recognise(credentials)
    const restored = visitor?.user ? null : await visitors.restore(credentials)
    if (restored) {
      cookies.setSession(reply, restored)
      visitor = await visitors.find({ session: restored, guest: null })
    }
    const { player, user, last, prize } = visitor ?? welcome(request, reply)
    const rank = user && (await rankOf(database, user))
    return { user, rank, prize, round: rounds.issue(rounds.next(player, last)) }
  })

  on(CALLS.startRound, async ({ body, request, reply }) => {
    const at = Date.now()
    limit(request, 'roundsOfAddress')
    const sender = await identify(request, reply)
    limits.take('rounds', sender.player)
    const started = await start(services, sender, body.round, at)
    reply.code(201)
    return started
  })

  on(CALLS.recordAttempt, async ({ body, request, reply }) => {
    const at = Date.now()
    limit(request, 'roundsOfAddress')
    const sender = await identify(request, reply)
    limits.take('rounds', sender.player)
    const { answer, repeated } = await record(services, sender, body, at)
    reply.code(repeated ? 200 : 201)
    return answer
  })

  /** Who plays: a guest's signed cookie says it without a read. */
  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<Sender> {
    const now = () => recognise(request, reply)
    const { session, guest } = cookies.read(request)
    if (guest && !session) return { player: guest, user: null, visitor: null, now }
    const known = await visitors.recognise({ session, guest })
    const visitor = known ?? welcome(request, reply)
    // A newcomer's request has no cookie yet, by which to be read anew.
    return { player: visitor.player, user: visitor.user, visitor, now: known ? now : async () => visitor }
  }

  const sharedAttempts = shared(() => recentAttempts(database))
  on(CALLS.recentAttempts, ({ request }) => {
    limit(request, 'reads')
    return sharedAttempts()
  })

  on(CALLS.myAttempts, async ({ request }) => {
    limit(request, 'reads')
    const visitor = await visitors.recognise(cookies.read(request))
    return visitor ? attemptsOf(database, visitor.player) : { attempts: [] }
  })

  const sharedLeaderboard = shared(() => leaderboard(database))
  on(CALLS.leaderboard, ({ request }) => {
    limit(request, 'reads')
    return sharedLeaderboard()
  })

  const sharedPool = shared(() => prizePool(database))
  on(CALLS.prizePool, ({ request }) => {
    limit(request, 'reads')
    return sharedPool()
  })

  on(CALLS.login, async ({ body, request, reply }) => {
    const { username = '', password = '' } = body
    if (username.trim() === '' || password === '') throw new Refusal('missing_credentials')
    limit(request, 'logins')
    const asked = await signInRequest(request, username, password)
    const session = await doorman.admit(addressKey(request.ip), username, () => accounts.signIn(asked))
    return signedIn(reply, session)
  })

  on(CALLS.createAccount, async ({ body, request, reply }) => {
    limit(request, 'logins')
    const asked = await signInRequest(request, body.username, body.password)
    const beforeCreation = () => limit(request, 'signUps')
    const { session, created } = await doorman.admit(addressKey(request.ip), body.username, () =>
      accounts.create(asked, beforeCreation),
    )
    if (created) {
      live.publish('leaderboard')
      reply.code(201)
    }
    return signedIn(reply, session)
  })

  async function signInRequest(
    request: FastifyRequest,
    username: string,
    password: string,
  ): Promise<SignInRequest> {
    const credentials = cookies.read(request)
    const visitor = await visitors.find(credentials)
    const guest = visitor?.user ? null : credentials.guest
    const player = visitor ? guest : null
    return { username, password, guest, player, session: credentials.session }
  }

  async function signedIn(reply: FastifyReply, session: string): Promise<SignedIn> {
    const visitor = await visitors.find({ session, guest: null })
    if (!visitor?.user) throw new Refusal('unavailable', { retryAfter: 1 })
    cookies.setSession(reply, session)
    events.name(reply.request, visitor.user.id)
    const { player, user, last, prize } = visitor
    return { user, prize, round: rounds.issue(rounds.next(player, last)) }
  }

  on(CALLS.logout, async ({ request, reply }) => {
    limit(request, 'reads')
    const { session } = cookies.read(request)
    // A guest's held prize hangs on the guest's cookie, which a session that was over leaves alone.
    if (session && (await accounts.endSession(session))) cookies.clear(reply)
    else if (session) cookies.clearSession(reply)
    reply.code(204)
    return null
  })

  /** @throws Refusal `login_required` */
  async function recogniseOwner(request: FastifyRequest): Promise<Owner> {
    const visitor = await visitors.recognise(cookies.read(request))
    if (!visitor?.user) throw new Refusal('login_required')
    events.name(request, visitor.user.id)
    return { ...visitor, user: visitor.user }
  }

  on(CALLS.claim, async ({ request }) => {
    limit(request, 'claimsOfAddress')
    const { player, user } = await recogniseOwner(request)
    limits.take('claims', player)
    const claimed = await claim(database, user)
    if (claimed.taps > 0) live.publish('leaderboard', 'attempts')
    return claimed
  })

  on(CALLS.changePassword, async ({ body, request, reply }) => {
    limit(request, 'logins')
    const { user } = await recogniseOwner(request)
    const { session } = cookies.read(request)
    if (!session) throw new Refusal('login_required')
    const next = await doorman.admit(addressKey(request.ip), user.username, () =>
      accountChanges.changePassword(user, session, body.password, body.new_password),
    )
    cookies.setSession(reply, next)
    reply.code(204)
    return null
  })

  on(CALLS.deleteAccount, async ({ body, request, reply }) => {
    limit(request, 'logins')
    const owner = await recogniseOwner(request)
    const taps = await doorman.admit(addressKey(request.ip), owner.user.username, () =>
      accountChanges.delete(owner, body.password),
    )
    metrics.returned.inc(taps)
    live.publish('prize_pool', 'leaderboard', 'attempts')
    cookies.clear(reply)
    reply.code(204)
    return null
  })

  app.get('/api/live', { exposeHeadRoute: false, schema: { hide: true } }, (request, reply) => {
    limit(request, 'streams')
    if (!live.ready) throw new Refusal('unavailable', { retryAfter: 1 })
    const leave = streams.enter(addressKey(request.ip))
    if (!leave) throw new Refusal('too_many_requests', { retryAfter: STREAMS_RETRY_S })
    reply.raw.once('close', leave)
    reply.hijack()
    live.add(reply.raw, headersOf(request))
  })
}

function hasContent(body: unknown): boolean {
  return body !== undefined && body !== null && (typeof body !== 'object' || Object.keys(body).length > 0)
}
