import type { FastifyRequest } from 'fastify'
import type { Cookies } from '../http/cookies.ts'
import type { Limiter } from '../limits/limiter.ts'
import { type Authenticator, newGuest, type PlayerState } from '../people/authenticator.ts'
import type { Caller } from '../people/caller.ts'
import type { RequestContext } from './route.ts'

interface Deps {
  readonly authenticator: Authenticator
  readonly cookies: Pick<Cookies, 'setGuest'>
  readonly limits: Pick<Limiter, 'take'>
}

type Context = Pick<RequestContext, 'caller' | 'request' | 'reply' | 'limitKey'>

export class Guests {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Returns the caller of a request, or a new guest. */
  callerOf(context: Context): Caller {
    if (context.caller) return context.caller
    const state = this.#makeGuest(context)
    const { playerId } = state
    return { playerId, credentials: { sessionToken: null, guestId: playerId }, state }
  }

  /** Reads the caller's state. A guest whose player has, or had, an account becomes a new guest. */
  async readState(caller: Caller, context: Context): Promise<PlayerState> {
    return caller.state ?? this.rereadState(caller, context)
  }

  async rereadState({ credentials }: Caller, context: Context): Promise<PlayerState> {
    return (await this.#deps.authenticator.authenticate(credentials)) ?? this.#makeGuest(context)
  }

  /** @throws {Problem} too_many_requests */
  #makeGuest({ request, reply, limitKey }: Context): PlayerState {
    this.#deps.limits.take(['guests', limitKey])
    const state = newGuest()
    if (!mayHideCookies(request)) this.#deps.cookies.setGuest(reply, state.playerId)
    return state
  }
}

/**
 * Returns whether another site may have opened this address in a window. Browsers then withhold our SameSite
 * cookies, and a new cookie would replace the guest, who would lose a held prize.
 */
function mayHideCookies({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === undefined && headers['upgrade-insecure-requests'] !== undefined
}
