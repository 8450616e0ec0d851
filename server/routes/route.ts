import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerOfEndpoint, BodyOfEndpoint, Endpoint } from '../../contract/api.ts'
import type { Database } from '../database/connection.ts'
import type { Cookies } from '../http/cookies.ts'
import { isNavigation } from '../http/cross-site.ts'
import { addressKey } from '../limits/address.ts'
import type { ConcurrencyLimit } from '../limits/concurrency.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { Broadcast } from '../live/broadcast.ts'
import type { DatabasePoller } from '../live/poller.ts'
import type { Names } from '../people/names.ts'
import type { PasswordHasher } from '../people/passwords.ts'
import { type Authenticate, type Caller, newGuest, type PlayerState } from '../people/player.ts'
import type { Play } from '../play/play.ts'
import { Problem } from '../problem.ts'

const LINK =
  'A link to this address makes no guest; open the game itself, or ask with Accept: application/json'

/** What the handlers use. */
export interface Services extends Play {
  readonly authenticate: Authenticate
  readonly broadcast: Broadcast
  readonly cookies: Cookies
  readonly database: Database
  readonly limits: Limiter
  readonly names: Names
  readonly passwords: PasswordHasher
  readonly poller: DatabasePoller
  readonly streamLimit: ConcurrencyLimit
}

export interface RequestContext<C extends Endpoint = Endpoint> {
  readonly body: BodyOfEndpoint<C>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The address's key in the limits. */
  readonly address: string
  /** Null without valid cookies, and for a public read, which answers everybody alike. */
  readonly caller: Caller | null
}

/** Serves an endpoint with the contract's schemas and limit. */
export function serve<C extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  endpoint: C,
  handler: (context: RequestContext<C>) => Promise<AnswerOfEndpoint<C>>,
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.url,
    schema: {
      summary: endpoint.summary,
      response: endpoint.answers,
      ...(endpoint.body && { body: endpoint.body }),
    },
    config: { endpoint },
    handler: async (request, reply) => {
      if (!endpoint.body && hasContent(request.body)) throw new Problem('invalid_request')
      const address = addressKey(request.ip)
      const caller = await findCaller(services, endpoint, request, address)
      return handler({ body: request.body as BodyOfEndpoint<C>, request, reply, address, caller })
    },
  })
}

function hasContent(body: unknown): boolean {
  return body !== undefined && body !== null && (typeof body !== 'object' || Object.keys(body).length > 0)
}

/**
 * Finds the caller, and charges the call as the endpoint's limit says. Reads the state of a session only: a
 * guest's state is read when needed.
 */
async function findCaller(
  { authenticate, cookies, limits }: Services,
  { limit }: Endpoint,
  request: FastifyRequest,
  address: string,
): Promise<Caller | null> {
  // Requests are charged before they reach the framework, and a public read has no further limit.
  if (limit === 'reads') return null
  const isOfPlayer = limit === 'calls' || limit === 'ownPasswords'
  if (!isOfPlayer) limits.take(limit, address)
  const credentials = cookies.read(request)
  const state = credentials.sessionToken ? await authenticate(credentials) : null
  const playerId = credentials.sessionToken ? state?.playerId : credentials.guestId
  if (!playerId) return null
  if (isOfPlayer) limits.take(limit, playerId)
  return { playerId, credentials, state }
}

/**
 * Reads the caller's player. A caller without a player becomes a new guest, as does a guest whose player has, or
 * had, an account. A link makes no guest, because a link of another site brings no cookie, and the new guest's
 * cookie would replace the visitor's.
 *
 * @throws {Problem} cross_site, too_many_requests
 */
export async function findOrCreatePlayer(
  { authenticate, cookies, limits }: Services,
  { address, caller, reply, request }: Pick<RequestContext, 'address' | 'caller' | 'reply' | 'request'>,
): Promise<PlayerState> {
  const known = caller && (await authenticate(caller.credentials))
  if (known) return known
  if (isNavigation(request)) throw new Problem('cross_site', { title: LINK })
  limits.take('guests', address)
  const state = newGuest()
  cookies.setGuest(reply, state.playerId)
  return state
}
