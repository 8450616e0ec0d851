import type { ClientBase } from 'pg'
import { clearFlag, type FlaggedPlayer, flaggedPlayers } from './flags.ts'
import { StartError } from './start-error.ts'

/** A guest may use another name in every attempt; these many tell an operator enough. */
const MOST_NAMES = 5

const PLAYER = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Does what the words of the command ask for: lists the flagged players, or clears the flag of one.
 *
 * @returns the lines to print
 * @throws StartError for words that ask for nothing, and for a player who is not flagged
 */
export async function runPlayers(client: ClientBase, words: readonly string[]): Promise<string[]> {
  const [act, player = '', ...rest] = words
  if (act === undefined) return list(await flaggedPlayers(client))
  if (act !== 'clear' || !PLAYER.test(player) || rest.length > 0) {
    throw new StartError('Say npm run players, or npm run players clear <player> with a player of that list')
  }
  if (await clearFlag(client, player)) return [`${player} can win again; attempts until now are forgotten.`]
  throw new StartError(`${player} is not flagged`)
}

function list(players: readonly FlaggedPlayer[]): string[] {
  if (players.length === 0) return ['No player is flagged.']
  return players.map(({ player, names, attempts, deviationMs, flaggedAt }) =>
    [
      player,
      `flagged since ${flaggedAt.toISOString()}`,
      `deviation ${deviationMs.toFixed(1)} ms`,
      `${attempts} attempts`,
      `as ${listNames(names)}`,
    ].join(', '),
  )
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map(name => JSON.stringify(name))
  const hidden = names.length - shown.length
  return hidden > 0 ? `${shown.join(', ')} and ${hidden} more` : shown.join(', ')
}
