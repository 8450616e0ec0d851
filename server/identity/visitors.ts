import type { FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '../../contract/api.ts'
import type { PlayersLimit } from '../../contract/limits.ts'
import type { Limiter } from '../limits/limiter.ts'
import { Problem } from '../problem.ts'
import type { Cookies } from './cookies.ts'
import { type Credentials, type Identity, newGuest, type openIdentities } from './identity.ts'
import type { PlayerId } from './player.ts'

/** The player behind a request. */
export interface Visitor {
  readonly player: PlayerId
  readonly credentials: Credentials
  /** As just read; null for a guest, whose signed cookie says enough to play. */
  readonly identity: Identity | null
}

/** The account behind a request. */
export type Owner = Identity & { readonly user: User }

/** A request, as far as it identifies its sender. */
interface Arrival {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The key of its address in the limits. */
  readonly address: string
}

interface Deps {
  readonly cookies: Pick<Cookies, 'read' | 'setGuest'>
  readonly identities: ReturnType<typeof openIdentities>
  readonly limits: Limiter
}

/** Identifies the visitor behind a request and charges their limits. */
export class Visitors {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * The player behind a request; null for a stranger, who has no cookie of ours. A player who exceeds a limit costs
   * neighbours at the same address nothing; all strangers of an address share one limit.
   *
   * @throws Problem `too_many_requests`
   */
  async find(limit: PlayersLimit, { request, address }: Omit<Arrival, 'reply'>): Promise<Visitor | null> {
    const visitor = await this.#read(request)
    if (visitor) this.#charge(limit, visitor.player, address)
    else this.#deps.limits.take('strangers', address)
    return visitor
  }

  /** As `find`, but a stranger becomes a new guest; new guests have a limit of their own. */
  async findPlayer(limit: PlayersLimit, arrival: Arrival): Promise<Visitor> {
    const visitor = await this.#read(arrival.request)
    if (visitor) {
      this.#charge(limit, visitor.player, arrival.address)
      return visitor
    }
    const identity = this.#makeGuest(arrival)
    return { player: identity.player, credentials: { session: null, guest: identity.player }, identity }
  }

  /** The visitor's identity. A guest whose player is, or was, an account's becomes a new guest. */
  async locate({ credentials, identity }: Visitor, arrival: Arrival): Promise<Identity> {
    return identity ?? this.locateAnew(credentials, arrival)
  }

  /** As `locate`, read again after it may have changed. */
  async locateAnew(credentials: Credentials, arrival: Arrival): Promise<Identity> {
    return (await this.#deps.identities.authenticate(credentials)) ?? this.#makeGuest(arrival)
  }

  /**
   * The account behind a request; charges no limit.
   *
   * @throws Problem `login_required`
   */
  async findOwner(request: FastifyRequest): Promise<Owner> {
    const visitor = await this.#read(request)
    return requireOwner(visitor)
  }

  async #read(request: FastifyRequest): Promise<Visitor | null> {
    const credentials = this.#deps.cookies.read(request)
    const { session, guest } = credentials
    if (!session) return guest === null ? null : { player: guest, credentials, identity: null }
    const identity = await this.#deps.identities.authenticate(credentials)
    return identity && { player: identity.player, credentials, identity }
  }

  #charge(limit: PlayersLimit, player: PlayerId, address: string): void {
    this.#deps.limits.takeAll([
      [limit, player],
      [`${limit}OfAddress`, address],
    ])
  }

  #makeGuest({ request, reply, address }: Arrival): Identity {
    this.#deps.limits.take('identities', address)
    const identity = newGuest()
    if (!mayHideCookies(request)) this.#deps.cookies.setGuest(reply, identity.player)
    return identity
  }
}

/** @throws Problem `login_required` */
export function requireOwner(visitor: Visitor | null): Owner {
  const identity = visitor?.identity
  if (!identity?.user) throw new Problem('login_required')
  return { ...identity, user: identity.user }
}

/**
 * True when another site may have opened this address in a window. The browser then withholds our SameSite cookies, and
 * over plain http does not say so in Sec-Fetch-Site; an answer that set new ones would cost a guest the round and the
 * held prize. The page itself never navigates to a call.
 */
function mayHideCookies({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === undefined && headers['upgrade-insecure-requests'] !== undefined
}
