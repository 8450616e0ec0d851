import { clearFlag as clearFlagOf } from '../../game/bot-detector.ts'
import { StartError } from '../../lib/start-error.ts'
import { type Game, quote, type Report, requireAccount } from './game.ts'

const PLAYER = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export async function clearFlag({ client }: Game, words: string): Promise<Report> {
  // A name is too short to be taken for a player.
  const account = PLAYER.test(words) ? undefined : await requireAccount(client, words)
  if (!(await clearFlagOf(client, account?.player ?? words, account))) {
    throw new StartError(`${account ? quote(account.username) : words} is not flagged`)
  }
  return { lines: [`${words} can win again; attempts until now are forgotten.`] }
}
