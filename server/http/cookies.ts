import type { FastifyReply, FastifyRequest } from 'fastify'
import { TokenSigner } from '../lib/token-signer.ts'
import type { Credentials, PlayerId } from '../people/player.ts'
import { SESSION_SECONDS } from '../people/sessions.ts'

/** The longest lifetime that browsers allow for a cookie. */
const PLAYER_SECONDS = 400 * 86_400

const SESSION_TEXT = /^[\w-]{43}$/

/** Returns whether a request came over TLS. */
export type SecureCheck = (request: FastifyRequest) => boolean

export class Cookies {
  readonly #guests: TokenSigner
  readonly #isSecure: SecureCheck

  constructor(key: Buffer, isSecure: SecureCheck) {
    this.#guests = new TokenSigner(key, 'player')
    this.#isSecure = isSecure
  }

  read(request: FastifyRequest): Credentials {
    const session = lastCookie(request, this.#name(request, 'session'))
    const player = lastCookie(request, this.#name(request, 'player'))
    return {
      sessionToken: session && SESSION_TEXT.test(session) ? session : null,
      guestId: player ? this.#guests.verify(player) : null,
    }
  }

  setGuest(reply: FastifyReply, player: PlayerId): void {
    this.#set(reply, 'player', this.#guests.sign(player), PLAYER_SECONDS)
  }

  /** Sets the session cookie and removes the guest cookie. */
  setSession(reply: FastifyReply, session: string): void {
    this.#set(reply, 'session', session, SESSION_SECONDS)
    this.#set(reply, 'player', '', 0)
  }

  /** Removes the session cookie. A guest cookie that came with an expired session applies again. */
  endSession(reply: FastifyReply): void {
    this.#set(reply, 'session', '', 0)
  }

  #set(reply: FastifyReply, use: string, text: string, maxAge: number): void {
    const secure = this.#isSecure(reply.request) ? 'Secure; ' : ''
    const name = this.#name(reply.request, use)
    reply.header(
      'set-cookie',
      `${name}=${text}; Max-Age=${maxAge}; Path=/; HttpOnly; ${secure}SameSite=Strict`,
    )
  }

  #name(request: FastifyRequest, use: string): string {
    return this.#isSecure(request) ? `__Host-taps-${use}` : `taps-${use}`
  }
}

/**
 * Returns the last cookie with this name, because the cookie for the whole site comes last (RFC 6265, section
 * 5.4).
 */
function lastCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const pairs = `; ${headers.cookie ?? ''}`
  const before = `; ${name}=`
  const at = pairs.lastIndexOf(before)
  return at === -1 ? undefined : pairs.slice(at + before.length).split(';', 1)[0]
}
