import type { FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '../../contract/api.ts'
import type { Limiter } from '../limits/limiter.ts'
import { Problem } from '../problem.ts'
import type { Cookies } from '../http/cookies.ts'
import { type Credentials, type Identity, newGuest, type openIdentities } from '../callers/authenticator.ts'
import type { PlayerId } from '../callers/player.ts'

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

/** Identifies the visitor behind a request. */
export class Visitors {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The player behind a request; null for a request without a cookie of ours. */
  async find(request: FastifyRequest): Promise<Visitor | null> {
    const credentials = this.#deps.cookies.read(request)
    const { session, guest } = credentials
    if (!session) return guest === null ? null : { player: guest, credentials, identity: null }
    const identity = await this.#deps.identities.authenticate(credentials)
    return identity && { player: identity.player, credentials, identity }
  }

  /**
   * A new guest, charged to the address.
   *
   * @throws {Problem} too_many_requests
   */
  makeGuest(arrival: Arrival): Visitor {
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

  #makeGuest({ request, reply, address }: Arrival): Identity {
    this.#deps.limits.take(['guests', address])
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
