import type { Round } from '../../contract/api.ts'
import { deriveKeys } from '../../server/lib/derived-keys.ts'
import { Rounds } from '../../server/play/rounds.ts'
import { TEST_SECRET } from './game.ts'

/** Makes and reads tokens like the server, for tests that need a Start at another time. */
export const rounds = new Rounds(deriveKeys(TEST_SECRET))

/** Makes the start token of a round that started at `at`, in ms since the epoch. */
export function startedAt(round: Round, at: number): string {
  return rounds.start(rounds.readRound(round.token), at).start
}
