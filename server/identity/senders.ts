import type { FastifyRequest } from 'fastify'
import type { PlayersLimit } from '../../contract/limits.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { Cookies } from './cookies.ts'
import type { Credentials, Identity, openIdentities } from './identity.ts'
import type { PlayerId } from './player.ts'

/** A player who sends a request. */
export interface Sender {
  readonly player: PlayerId
  readonly credentials: Credentials
  /** As it was read just now; null for a guest, of whom the signed cookie says enough without a read. */
  readonly identity: Identity | null
}

/** Finds out who sends requests, and takes these of what they may still do. */
export class Senders {
  readonly #cookies: Pick<Cookies, 'read'>
  readonly #identities: Pick<ReturnType<typeof openIdentities>, 'authenticate'>
  readonly #limits: Pick<Limiter, 'take' | 'takeAll'>

  constructor(
    cookies: Pick<Cookies, 'read'>,
    identities: Pick<ReturnType<typeof openIdentities>, 'authenticate'>,
    limits: Pick<Limiter, 'take' | 'takeAll'>,
  ) {
    this.#cookies = cookies
    this.#identities = identities
    this.#limits = limits
  }

  /** The player behind the cookies of a request; null for a stranger, who has none of ours. */
  async find(request: FastifyRequest): Promise<Sender | null> {
    const credentials = this.#cookies.read(request)
    const { session, guest } = credentials
    if (!session) return guest === null ? null : { player: guest, credentials, identity: null }
    const identity = await this.#identities.authenticate(credentials)
    return identity && { player: identity.player, credentials, identity }
  }

  /**
   * Takes a call of its player's share and of its address's, of both or of neither: what one player does beyond the own
   * share costs the neighbours nothing. Strangers of one address have one share together.
   *
   * @param address as `addressKey` writes it
   * @throws Problem `too_many_requests`
   */
  charge(limit: PlayersLimit, sender: Sender | null, address: string): void {
    if (!sender) return void this.#limits.take('strangers', address)
    this.#limits.takeAll([
      [limit, sender.player],
      [`${limit}OfAddress`, address],
    ])
  }
}
