import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type AnswerOfCall,
  type BodyOfCall,
  CALLS,
  type Call,
  type Round,
  type SignedIn,
} from '../contract/api.ts'
import type { PlayersLimit } from '../contract/limits.ts'
import { nameKey } from '../contract/name.ts'
import { attemptsOf, recentAttempts } from './game/attempts.ts'
import { leaderboard, rankOf } from './game/leaderboard.ts'
import { record, start } from './game/play.ts'
import { claim, prizePool } from './game/prizes.ts'
import { hidesCookies } from './http/cross-site.ts'
import { changePassword, deleteAccount, type Owner } from './identity/account-settings.ts'
import { createAccount, endSession, signIn } from './identity/accounts.ts'
import { type Credentials, type Identity, newGuest } from './identity/identity.ts'
import type { Asker } from './identity/passwords.ts'
import type { Sender } from './identity/senders.ts'
import { shared } from './lib/batch.ts'
import { addressKey } from './limits/address.ts'
import { throttleLogin } from './limits/login-throttle.ts'
import { Problem } from './problem.ts'
import type { Services } from './services.ts'

/** A call of which a player, and an address, may make so many. */
type PlayersCall = Call & { readonly limit: PlayersLimit }

/** One request on its way through its handler. */
interface Exchange<C extends Call> {
  readonly call: C
  readonly body: BodyOfCall<C>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** What stands for the address of the request in a limit. */
  readonly address: string
  /** When the request arrived: wall clock, ms since the epoch. */
  readonly at: number
}

/** Wires every call of the contract to what it does. */
export function addCalls(app: FastifyInstance, services: Services): void {
  const { database, cookies, identities, limits, metrics, pubsub, readiness, rounds, securityLog, senders } =
    services

  function on<C extends Call>(call: C, handler: (exchange: Exchange<C>) => Promise<AnswerOfCall<C>>): void {
    app.route({
      method: call.method,
      url: call.url,
      schema: { summary: call.summary, response: call.answers, ...(call.body && { body: call.body }) },
      config: { call },
      handler: (request, reply) => {
        const at = Date.now()
        if (!call.body && hasContent(request.body)) throw new Problem('invalid_request')
        const address = addressKey(request.ip)
        if (call.limit === 'accountCalls') limits.take(call.limit, address)
        return handler({ call, body: request.body as BodyOfCall<C>, request, reply, address, at })
      },
    })
  }

  /** The sender of a call, of whose share it is taken; null for a stranger. */
  async function admit({ call, request, address }: Exchange<PlayersCall>): Promise<Sender | null> {
    const sender = await senders.find(request)
    senders.charge(call.limit, sender, address)
    return sender
  }

  function createGuest({ request, reply, address }: Exchange<Call>): Identity {
    limits.take('identities', address)
    const identity = newGuest()
    if (!hidesCookies(request)) cookies.setGuest(reply, identity.player)
    return identity
  }

  /** Where a player stands now; credentials that name none (any more) are a new guest's. */
  async function identify(exchange: Exchange<Call>, credentials?: Credentials): Promise<Identity> {
    return (credentials && (await identities.authenticate(credentials))) ?? createGuest(exchange)
  }

  function nextRound({ player, last }: Pick<Identity, 'player' | 'last'>): Round {
    return rounds.issue(rounds.next(player, last))
  }

  on(CALLS.session, async exchange => {
    const sender = await senders.find(exchange.request)
    // A stranger becomes a guest, which has a limit of its own.
    if (sender) senders.charge('reads', sender, exchange.address)
    const identity = sender?.identity ?? (await identify(exchange, sender?.credentials))
    const { user, prize } = identity
    const rank = user && (await rankOf(database, user))
    return { user, rank, prize, round: nextRound(identity) }
  })

  /** Whoever plays a round, and the credentials by which to find out more. */
  async function admitPlayer(exchange: Exchange<PlayersCall>) {
    const sender = await admit(exchange)
    if (sender) return { user: null, last: null, ...sender.identity, ...sender }
    const newcomer = createGuest(exchange)
    return { ...newcomer, credentials: { session: null, guest: newcomer.player } }
  }

  /** What a token says; one that is not ours is taken for a stranger's, whoever sends it. */
  function readOurs<Content>(read: () => Content, address: string): Content {
    try {
      return read()
    } catch (error) {
      limits.take('strangers', address)
      throw error
    }
  }

  on(CALLS.startRound, async exchange => {
    readiness.requireClock()
    const { body, reply, at, address } = exchange
    const round = readOurs(() => rounds.readRound(body.round), address)
    const player = await admitPlayer(exchange)
    const started = await start(services, player, round, body.username, at)
    if (started) {
      reply.code(201)
      return started
    }
    const identity = await identify(exchange, player.credentials)
    throw new Problem('stale_round', { round: nextRound(identity) })
  })

  on(CALLS.recordAttempt, async exchange => {
    readiness.requireClock()
    const { body, reply, at, address } = exchange
    const started = readOurs(() => rounds.readStart(body.start), address)
    const sender = await admitPlayer(exchange)
    const outcome = await record(services, sender, started, body, at)
    const recorded = outcome.kind === 'recorded'
    // Of what was recorded just now the database has said all; of the rest nothing is known yet.
    const { player, last, prize } = recorded
      ? { ...outcome, player: sender.player }
      : await identify(exchange, sender.credentials)
    const round = nextRound({ player, last })
    if (outcome.kind === 'refused') throw new Problem(outcome.code, { round })
    const { attempt, reason } = outcome
    reply.code(recorded ? 201 : 200)
    return { attempt, verified: attempt.verified, reason, prize, round }
  })

  /** What everybody reads alike. */
  function onRead<C extends PlayersCall>(call: C, read: () => Promise<AnswerOfCall<C>>): void {
    const readOnce = shared(read)
    on(call, async exchange => {
      await admit(exchange)
      return readOnce()
    })
  }

  onRead(CALLS.recentAttempts, () => recentAttempts(database))
  onRead(CALLS.leaderboard, () => leaderboard(database))
  onRead(CALLS.prizePool, () => prizePool(database))

  on(CALLS.myAttempts, async exchange => {
    const sender = await admit(exchange)
    const identity = sender && (sender.identity ?? (await identities.authenticate(sender.credentials)))
    return identity ? attemptsOf(database, identity.player) : { attempts: [] }
  })

  /** What accounts need, their passwords hashed for this asker. */
  function hashingFor(asker: Asker) {
    return { ...services, passwords: services.passwordHasher.for(asker) }
  }

  on(CALLS.login, async ({ body: { username = '', password = '' }, request, reply, address }) => {
    if (username.trim() === '' || password === '') throw new Problem('missing_credentials')
    const deps = hashingFor({ address, account: nameAt(address, username) })
    const session = await throttleLogin(limits, address, username, () =>
      signIn(deps, { username, password, ...cookies.read(request) }),
    )
    return signedIn(reply, session)
  })

  on(CALLS.createAccount, async ({ body: { username, password }, request, reply, address }) => {
    const deps = hashingFor({ address, account: nameAt(address, username), isNew: true })
    const { session, created } = await throttleLogin(limits, address, username, () =>
      createAccount(deps, { username, password, ...cookies.read(request) }),
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

  on(CALLS.logout, async exchange => {
    const { request, reply } = exchange
    await admit(exchange)
    const { session } = cookies.read(request)
    // A guest's held prize hangs on the guest's cookie, which a session that was over leaves alone.
    if (session && (await endSession(database, session))) cookies.clear(reply)
    else if (session) cookies.clearSession(reply)
    reply.code(204)
    return null
  })

  /** @throws Problem `login_required` */
  function requireOwner(request: FastifyRequest, identity: Identity | null | undefined): Owner {
    if (!identity?.user) throw new Problem('login_required')
    securityLog.name(request, identity.user.id)
    return { ...identity, user: identity.user }
  }

  on(CALLS.claim, async exchange => {
    const sender = await admit(exchange)
    const { user } = requireOwner(exchange.request, sender?.identity)
    const claimed = await claim(database, user)
    if (claimed.taps > 0) pubsub.publish('leaderboard', 'attempts')
    return claimed
  })

  /** Lets the owner of an account try the password on the way to changing it. */
  async function authenticateOwner({ request, address }: Exchange<Call>): Promise<Owner> {
    const sender = await senders.find(request)
    if (!sender?.identity?.user) limits.take('strangers', address)
    return requireOwner(request, sender?.identity)
  }

  on(CALLS.changePassword, async exchange => {
    const { body, request, reply, address } = exchange
    const { user } = await authenticateOwner(exchange)
    const { session } = cookies.read(request)
    if (!session) throw new Problem('login_required')
    const deps = hashingFor({ address, account: `account ${user.id}` })
    const next = await throttleLogin(limits, address, user.username, () =>
      changePassword(deps, user, session, body.password, body.new_password),
    )
    cookies.setSession(reply, next)
    reply.code(204)
    return null
  })

  on(CALLS.deleteAccount, async exchange => {
    const { body, reply, address } = exchange
    const owner = await authenticateOwner(exchange)
    const deps = hashingFor({ address, account: `account ${owner.user.id}` })
    const taps = await throttleLogin(limits, address, owner.user.username, () =>
      deleteAccount(deps, owner, body.password),
    )
    metrics.returned.inc(taps)
    pubsub.publish('prize_pool', 'leaderboard', 'attempts')
    cookies.clear(reply)
    reply.code(204)
    return null
  })
}

/**
 * Tells apart who waits for a hash with a name that anybody can give: were it the name alone, guessers elsewhere would
 * keep its owner out.
 */
function nameAt(address: string, username: string): string {
  return `${address} ${nameKey(username)}`
}

function hasContent(body: unknown): boolean {
  return body !== undefined && body !== null && (typeof body !== 'object' || Object.keys(body).length > 0)
}
