import { nameKey } from '../../../contract/name.ts'
import { type Account, bannedAccounts, newestAccounts, searchAccounts } from '../../identity/directory.ts'
import { StartError } from '../../lib/start-error.ts'
import { UsageError } from '../command.ts'
import { type Game, idIn, quote, type Report } from './game.ts'

/** Accounts in one list. */
const MAX_ACCOUNTS = 50

export async function list({ client }: Game, from?: string): Promise<Report> {
  const upTo = from === undefined ? Number.MAX_SAFE_INTEGER : idIn(from)
  if (upTo === undefined) throw new UsageError(`${quote(from ?? '')} is not like id:17`)
  const accounts = await newestAccounts(client, upTo, MAX_ACCOUNTS + 1)
  return report(
    accounts,
    'There is no account.',
    last => `Older ones: npm run players list id:${last.id - 1}`,
  )
}

export async function listBanned({ client }: Game): Promise<Report> {
  const accounts = await bannedAccounts(client, MAX_ACCOUNTS + 1)
  return report(accounts, 'No account is banned.', () => 'And others, banned before these.')
}

export async function search({ client }: Game, part: string): Promise<Report> {
  if (nameKey(part) === '') throw new StartError(`${quote(part)} has no letter, digit or emoji to look for`)
  const accounts = await searchAccounts(client, part, MAX_ACCOUNTS + 1)
  const none = `No account has ${quote(part)} in its name, however it is written.`
  return report(accounts, none, () => 'And others, with longer names: look for more of the name.')
}

/**
 * @param accounts one more than are shown, when there are more
 * @param more what is said then, by the last that is shown
 */
function report(accounts: readonly Account[], none: string, more: (last: Account) => string): Report {
  const shown = accounts.slice(0, MAX_ACCOUNTS)
  const last = shown.at(-1)
  if (!last) return { lines: [none], data: [] }
  const end = accounts.length > shown.length ? [more(last)] : []
  return { lines: [...shown.map(describe), ...end], data: shown }
}

function describe({ id, username, balance, createdAt, bannedAt, hiddenAt, flaggedAt }: Account): string {
  return [
    `id:${id} ${quote(username)}`,
    `${balance} TAPS`,
    `since ${createdAt.toISOString()}`,
    ...(bannedAt ? [`banned since ${bannedAt.toISOString()}`] : []),
    ...(hiddenAt ? [`hidden since ${hiddenAt.toISOString()}`] : []),
    ...(flaggedAt ? [`flagged since ${flaggedAt.toISOString()}`] : []),
  ].join(', ')
}
