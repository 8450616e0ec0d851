import { clearFlag as clearFlagOf, type FlaggedPlayer, flaggedPlayers } from '../../game/flags.ts'
import { StartError } from '../../lib/start-error.ts'
import { type Game, quote, type Report, requireAccount } from './game.ts'

/** A guest may use another name in every attempt; these many tell an operator enough. */
const MAX_NAMES = 5

const PLAYER = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export async function listFlags({ client }: Game): Promise<Report> {
  const flagged = await flaggedPlayers(client)
  return { lines: flagged.length > 0 ? flagged.map(describe) : ['No player is flagged.'], data: flagged }
}

export async function clearFlag({ client }: Game, words: string): Promise<Report> {
  // A name is too short to be taken for a player.
  const account = PLAYER.test(words) ? undefined : await requireAccount(client, words)
  if (!(await clearFlagOf(client, account?.player ?? words, account))) {
    throw new StartError(`${account ? quote(account.username) : words} is not flagged`)
  }
  return { lines: [`${words} can win again; attempts until now are forgotten.`] }
}

function describe({ player, names, attempts, deviationMs, flaggedAt }: FlaggedPlayer): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return [
    player,
    `flagged since ${flaggedAt.toISOString()}`,
    `deviation ${deviationMs.toFixed(1)} ms`,
    `${attempts} attempts`,
    `as ${names.slice(0, MAX_NAMES).map(quote).join(', ')}${more}`,
  ].join(', ')
}
