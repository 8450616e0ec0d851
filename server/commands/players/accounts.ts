import { checkName } from '../../../contract/name.ts'
import type { Account } from '../../identity/directory.ts'
import * as moderation from '../../identity/moderation.ts'
import { PasswordHasher } from '../../identity/passwords.ts'
import { deriveKeys } from '../../lib/keys.ts'
import { StartError } from '../../lib/start-error.ts'
import { Limiter } from '../../limits/limiter.ts'
import { secretInUse } from '../../secret.ts'
import { count, type Game, quote, type Report, requireAccount } from './game.ts'

export async function rename({ client }: Game, name: string, next: string): Promise<Report> {
  const check = checkName(next)
  if (!check.ok) throw new StartError(check.problem)
  const account = await requireAccount(client, name)
  if (!(await moderation.renameAccount(client, account, check.name))) {
    throw new StartError(`${quote(check.name)} is an account already, perhaps written in another way`)
  }
  return { lines: [`${called(account)} is now called ${quote(check.name)}, here and in all its attempts.`] }
}

export async function resetPassword({ client, env }: Game, name: string): Promise<Report> {
  const account = await requireAccount(client, name)
  const { pepper } = deriveKeys(await secretInUse(env))
  const passwords = new PasswordHasher(pepper, new Limiter(false)).for({ address: 'here', account: name })
  const password = await moderation.resetPassword(client, passwords, account)
  if (!password) throw changedMeanwhile(account)
  const banned = account.bannedAt ? ['It is banned all the same: nobody can sign in to it.'] : []
  return {
    lines: [
      `The password of ${called(account)} is now ${password}`,
      `It is shown only here and opens the account for ${moderation.PASSWORD_DAYS} days: its owner should change it in the account menu.`,
      'All sessions of the account are ended.',
      ...banned,
    ],
  }
}

export async function endSessions({ client }: Game, name: string): Promise<Report> {
  const account = await requireAccount(client, name)
  const ended = await moderation.endSessions(client, account)
  return { lines: [`${called(account)} is signed out everywhere: ${count(ended, 'session')} ended.`] }
}

export async function ban({ client }: Game, name: string, reason?: string): Promise<Report> {
  const account = await requireAccount(client, name)
  const ended = await moderation.banAccount(client, account, reason)
  if (ended === null) throw new StartError(`${called(account)} is banned already`)
  return {
    lines: [
      `${called(account)} is banned: ${count(ended, 'session')} ended, and nobody can sign in to it.`,
      `Its ${account.balance} TAPS, what is held for it and its place on the leaderboard stay.`,
    ],
  }
}

export async function unban({ client }: Game, name: string): Promise<Report> {
  const account = await requireAccount(client, name)
  if (!(await moderation.unbanAccount(client, account))) {
    throw new StartError(`${called(account)} is not banned`)
  }
  return { lines: [`${called(account)} can be signed in to again.`] }
}

export async function remove({ client }: Game, name: string): Promise<Report> {
  const account = await requireAccount(client, name)
  const taps = await moderation.removeAccount(client, account)
  if (taps === null) throw changedMeanwhile(account)
  return {
    lines: [
      `${called(account)} is deleted: ${taps} TAPS, held or in its balance, are back in the pool.`,
      'Its sessions are ended; its attempts stay, without its name.',
    ],
  }
}

function changedMeanwhile(account: Account): StartError {
  return new StartError(`${called(account)} was changed meanwhile: try again`)
}

/** With the number, by which the log names it. */
function called({ id, username }: Account): string {
  return `${quote(username)} (id:${id})`
}
