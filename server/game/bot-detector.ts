import type { Database } from '../database/pool.ts'
import type { PlayerId } from '../identity/player.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import { latestSeries, raiseFlags } from './flags.ts'
import { deviationMs, isTooSteady, STEADINESS_WINDOW } from './steadiness.ts'

const INTERVAL_MS = 1_000
/** Players per look: 50 windows of 40 attempts cost 2 ms of this process and at most 8 ms of the database. */
const LOOK_SIZE = 50
/** Twenty seconds of work. A winner beyond it is looked at after another win. */
const MAX_WAITING = 1_000

/** A recorded win: by whom, with which of their attempts. */
export interface Win {
  readonly player: PlayerId
  readonly round: number
}

/**
 * Looks at players who have just won, off the path of any request, and flags those too steady to be people. Only a win is
 * worth a flag. A look that fails is not repeated: the player's next win asks for another.
 *
 * @param onFlagged told after the commit how many players were flagged
 */
export function openBotDetector(database: Database, log: Logger, onFlagged: (players: number) => void) {
  const waiting = new Set<PlayerId>()
  const throttle = new Throttle(INTERVAL_MS, async () => {
    const players = [...waiting].slice(0, LOOK_SIZE)
    for (const player of players) waiting.delete(player)
    if (waiting.size > 0) throttle.ask()
    try {
      const flagged = await flagTooSteady(database, players)
      if (flagged === 0) return
      log.info({ players: flagged }, 'players too steady to be people were flagged')
      onFlagged(flagged)
    } catch (error) {
      log.warn({ err: error }, 'winners could not be looked at; their next win asks again')
    }
  })
  return {
    /** Asks for a look at the winners, some time soon; costs the caller nothing. */
    watch(wins: readonly Win[]): void {
      const longEnough = wins.filter(({ round }) => round >= STEADINESS_WINDOW)
      for (const { player } of longEnough) if (waiting.size < MAX_WAITING) waiting.add(player)
      if (waiting.size > 0) throttle.ask()
    },

    /** Resolves when a look under way has ended. */
    close: (): Promise<void> => throttle.close(),
  }
}

/** Flags those of these players who are too steady to be people; how many they are. */
async function flagTooSteady(database: Database, players: readonly PlayerId[]): Promise<number> {
  const series = await latestSeries(database, players)
  const findings = series
    .filter(({ differencesMs }) => isTooSteady(differencesMs))
    .map(({ player, differencesMs }) => ({ player, deviationMs: deviationMs(differencesMs) }))
  if (findings.length > 0) await raiseFlags(database, findings)
  return findings.length
}
