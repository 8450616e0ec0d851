import type { User } from '../../contract/api.ts'
import { Problem } from '../problem.ts'
import type { Credentials, PlayerState } from './authenticator.ts'
import type { PlayerId } from './player.ts'

export interface Caller {
  readonly playerId: PlayerId
  readonly credentials: Credentials
  /** The player's state; null for a guest until needed. */
  readonly state: PlayerState | null
}

export type SignedInCaller = PlayerState & { readonly user: User }

/** @throws {Problem} login_required */
export function requireUser(caller: Caller | null): SignedInCaller {
  const state = caller?.state
  if (!state?.user) throw new Problem('login_required')
  return { ...state, user: state.user }
}
