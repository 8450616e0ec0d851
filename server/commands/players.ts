import type { ClientBase } from 'pg'
import { checkName, nameKey } from '../../contract/name.ts'
import { matchesFingerprint } from '../database/fingerprint.ts'
import { readSchema } from '../database/migrate.ts'
import type { Env } from '../env.ts'
import { clearFlag } from '../game/bot-detector.ts'
import {
  type Account,
  accountOfId,
  accountOfName,
  newestAccounts,
  searchAccounts,
} from '../identity/directory.ts'
import { hideName, unhideName } from '../identity/hidden-names.ts'
import * as moderation from '../identity/moderation.ts'
import { PasswordHasher } from '../identity/passwords.ts'
import { deriveKeys } from '../lib/keys.ts'
import { StartError } from '../lib/start-error.ts'
import { secretInUse } from '../secret.ts'
import { type Command, UsageError } from './command.ts'
import { storyOf } from './story.ts'
import { withGame } from './with-database.ts'

/** The length of a list. */
const MAX_ACCOUNTS = 50

const PLAYER = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Commands about accounts and names; an account is given by its name, in any spelling, or as `id:17`. */
export const PLAYERS: readonly Command[] = [
  on('list [id]', 'Lists the accounts, the newest first, or from id:17 on.', list),
  on('search <part>', 'Lists the accounts that have this in their name.', search),
  on('show <name>', 'Tells where the TAPS of an account come from, by its newest prizes.', show),
  on(
    'reset-password <name>',
    'Prints a random password for an account, and ends its sessions.',
    resetPassword,
  ),
  on('rename <name> <new-name>', 'Gives an account another name, also in all that it has played.', rename),
  on('hide <name>', 'Takes a name off feed and leaderboard, of accounts and of guests.', hide),
  on('unhide <name>', 'Brings a hidden name back.', unhide),
  on('ban <name> [reason]', 'Ends the sessions of an account and lets nobody sign in; its TAPS stay.', ban),
  on('unban <name>', 'Lets an account be signed in to again.', unban),
  on('delete <name>', 'Deletes an account for good; its TAPS go back to the pool.', remove),
  on('clear-flag <player>', 'Lets a player win again who was taken for a script.', clear),
]

type Lines = readonly string[]
type Act = (client: ClientBase, given: readonly string[], env: Env) => Promise<Lines>

/** A `players` command, which refuses a game of an earlier release. */
function on(form: string, help: string, act: Act): Command {
  return {
    form: `players ${form}`,
    help,
    run: (call, ...given) =>
      withGame(call, async client => {
        const { pending } = await readSchema(client)
        if (pending.length > 0)
          throw new StartError('This game is of an earlier release: start this one first')
        return { ok: true, lines: await act(client, given, call.env) }
      }),
  }
}

async function list(client: ClientBase, [from]: Lines): Promise<Lines> {
  const upTo = from === undefined ? Number.MAX_SAFE_INTEGER : idIn(from)
  if (upTo === undefined) throw new UsageError(`${quote(from)} is not like id:17`)
  const accounts = await newestAccounts(client, upTo, MAX_ACCOUNTS + 1)
  return listed(accounts, last => `Older ones: ./taps players list id:${last.id - 1}`)
}

async function search(client: ClientBase, [part = '']: Lines): Promise<Lines> {
  const accounts = await searchAccounts(client, comparable(part), MAX_ACCOUNTS + 1)
  return listed(accounts, () => 'And others, with longer names: look for more of the name.')
}

/** @param accounts at most one more than a list shows */
function listed(accounts: readonly Account[], more: (last: Account) => string): Lines {
  const shown = accounts.slice(0, MAX_ACCOUNTS)
  const last = shown.at(-1)
  if (!last) return ['There is no such account.']
  return [...shown.map(described), ...(accounts.length > shown.length ? [more(last)] : [])]
}

async function show(client: ClientBase, [name]: Lines): Promise<Lines> {
  const account = await find(client, name)
  return [described(account), ...(await storyOf(client, account))]
}

async function rename(client: ClientBase, [name, next = '']: Lines): Promise<Lines> {
  const check = checkName(next)
  if (!check.ok) throw new StartError(check.problem)
  const account = await find(client, name)
  if (!(await moderation.renameAccount(client, account, check.name))) {
    throw new StartError(`${quote(check.name)} is an account already, perhaps written in another way`)
  }
  return [`${called(account)} is now called ${quote(check.name)}, here and in all its attempts.`]
}

async function resetPassword(client: ClientBase, [name]: Lines, env: Env): Promise<Lines> {
  const account = await find(client, name)
  const secret = await secretInUse(env)
  await matchesFingerprint(client, secret)
  const { pepper } = deriveKeys(secret)
  const passwords = new PasswordHasher(pepper, false).for({ address: 'here', user: `${account.id}` })
  const password = await moderation.resetPassword(client, passwords, account)
  if (!password) throw changedMeanwhile(account)
  return [
    `The password of ${called(account)} is now ${password}`,
    `It is shown only here and opens the account for ${moderation.PASSWORD_DAYS} days: its owner should change it in the account menu.`,
    'All sessions of the account are ended.',
    ...(account.bannedAt ? ['It is banned all the same: nobody can sign in to it.'] : []),
  ]
}

async function hide(client: ClientBase, [words = '']: Lines): Promise<Lines> {
  const name = await nameIn(client, words)
  await hideName(client, name)
  return [`${quote(name)} is hidden, however it is written, of accounts and of guests.`]
}

async function unhide(client: ClientBase, [words = '']: Lines): Promise<Lines> {
  const name = await nameIn(client, words)
  if (await unhideName(client, name)) return [`${quote(name)} is shown again.`]
  throw new StartError(`${quote(name)} is not hidden`)
}

async function ban(client: ClientBase, [name, reason]: Lines): Promise<Lines> {
  const account = await find(client, name)
  const ended = await moderation.banAccount(client, account, reason)
  if (ended === null) throw new StartError(`${called(account)} is banned already`)
  return [
    `${called(account)} is banned: ${ended} of its sessions are ended, and nobody can sign in to it.`,
    `Its ${account.balance} TAPS, what is held for it and its place on the leaderboard stay.`,
  ]
}

async function unban(client: ClientBase, [name]: Lines): Promise<Lines> {
  const account = await find(client, name)
  if (await moderation.unbanAccount(client, account)) return [`${called(account)} can be signed in to again.`]
  throw new StartError(`${called(account)} is not banned`)
}

async function remove(client: ClientBase, [name]: Lines): Promise<Lines> {
  const account = await find(client, name)
  const taps = await moderation.removeAccount(client, account)
  if (taps === null) throw changedMeanwhile(account)
  return [
    `${called(account)} is deleted: ${taps} TAPS, held or in its balance, are back in the pool.`,
    'Its sessions are ended; its attempts stay, without its name.',
  ]
}

async function clear(client: ClientBase, [words = '']: Lines): Promise<Lines> {
  // No name is as long as a player's id.
  const account = PLAYER.test(words) ? undefined : await find(client, words)
  if (await clearFlag(client, account?.player ?? words, account)) {
    return [`${words} can win again; attempts until now are forgotten.`]
  }
  throw new StartError(`${account ? quote(account.username) : words} is not flagged`)
}

/** @throws StartError when there is no such account */
async function find(client: ClientBase, words = ''): Promise<Account> {
  const id = idIn(words)
  const account = await (id === undefined ? accountOfName(client, words) : accountOfId(client, id))
  if (!account) throw new StartError(`There is no account called ${quote(words)}`)
  return account
}

/** A name as it is written, of a guest as well, or that of the account `id:17`. */
async function nameIn(client: ClientBase, words: string): Promise<string> {
  return idIn(words) === undefined ? comparable(words) : (await find(client, words)).username
}

/** @throws StartError when there is nothing in it by which names are compared */
function comparable(name: string): string {
  if (nameKey(name) === '') throw new StartError(`${quote(name)} has no letter, digit or emoji to look for`)
  return name
}

/** The number in `id:17`; undefined for anything else. Names contain no colon. */
function idIn(words: string): number | undefined {
  const [, id] = /^id:(\d{1,15})$/.exec(words) ?? []
  return id === undefined ? undefined : Number(id)
}

function changedMeanwhile(account: Account): StartError {
  return new StartError(`${called(account)} was changed meanwhile: try again`)
}

function described({ id, username, balance, createdAt, bannedAt, hiddenAt, flaggedAt }: Account): string {
  const states = Object.entries({ banned: bannedAt, hidden: hiddenAt, flagged: flaggedAt })
  return [
    `id:${id} ${quote(username)}`,
    `${balance} TAPS`,
    `since ${createdAt.toISOString()}`,
    ...states.flatMap(([state, since]) => (since ? [`${state} since ${since.toISOString()}`] : [])),
  ].join(', ')
}

/** With the id, by which the log names accounts. */
function called({ id, username }: Account): string {
  return `${quote(username)} (id:${id})`
}

/** Shows where a name begins and ends, and its control characters. */
function quote(name = ''): string {
  return JSON.stringify(name)
}
