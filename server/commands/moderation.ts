import type { ClientBase } from 'pg'
import { checkName } from '../../contract/name.ts'
import { clearFlag, type FlaggedPlayer, flaggedPlayers } from '../game/flags.ts'
import { renameAccount, resetPassword } from '../identity/account-repairs.ts'
import { hiddenNames, hideName, MAX_HIDDEN_NAMES, showName } from '../identity/hidden-names.ts'
import type { Passwords } from '../identity/passwords.ts'
import { StartError } from '../lib/start-error.ts'
import { announce } from '../live/pubsub.ts'

/** A guest may use another name in every attempt; these many tell an operator enough. */
const MAX_NAMES = 5

const PLAYER = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** What the acts of an operator work with. */
export interface Tools {
  readonly client: ClientBase
  /** Asks for the secret of the game, which most acts can do without. */
  passwords(): Promise<Passwords>
}

/** An act: the words that follow its own, and what it does with them, giving the lines to print. */
interface Act {
  readonly wants: readonly string[]
  run(tools: Tools, ...words: string[]): Promise<string[]>
}

const ACTS: Readonly<Record<string, Act>> = {
  clear: { wants: ['player'], run: clear },
  'reset-password': { wants: ['name'], run: reset },
  rename: { wants: ['name', 'new name'], run: rename },
  hide: { wants: ['name'], run: hide },
  show: { wants: ['name'], run: show },
  hidden: { wants: [], run: listHidden },
}

/**
 * Does what the words of the command ask for; without any it lists the flagged players.
 *
 * @returns the lines to print
 * @throws StartError for words that ask for nothing, and for what cannot be done
 */
export async function runPlayers(tools: Tools, words: readonly string[]): Promise<string[]> {
  const [name, ...rest] = words
  if (name === undefined) return listFlagged(await flaggedPlayers(tools.client))
  const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined
  if (!act || act.wants.length !== rest.length) throw new StartError(usage())
  return act.run(tools, ...rest)
}

async function clear({ client }: Tools, player: string): Promise<string[]> {
  if (!PLAYER.test(player)) throw new StartError(usage())
  if (await clearFlag(client, player)) return [`${player} can win again; attempts until now are forgotten.`]
  throw new StartError(`${player} is not flagged`)
}

async function reset({ client, passwords }: Tools, name: string): Promise<string[]> {
  const made = await resetPassword(client, await passwords(), name)
  if (!made) throw new StartError(`There is no account called ${JSON.stringify(name)}`)
  return [
    `The password of ${JSON.stringify(name)} is now ${made.password}`,
    `It is shown only here and opens the account for ${made.days} days: its owner should change it in the account menu.`,
    'All sessions of the account are ended.',
  ]
}

async function rename({ client }: Tools, name: string, next: string): Promise<string[]> {
  const check = checkName(next)
  if (!check.ok) throw new StartError(check.problem)
  const renaming = await renameAccount(client, name, check.name)
  if (renaming === 'unknown') throw new StartError(`There is no account called ${JSON.stringify(name)}`)
  if (renaming === 'taken') {
    throw new StartError(`${JSON.stringify(check.name)} is an account already, or looks like one`)
  }
  await announce(client, ['leaderboard', 'attempts'])
  return [
    `${JSON.stringify(name)} is now called ${JSON.stringify(check.name)}, here and in all its attempts.`,
  ]
}

async function hide({ client }: Tools, name: string): Promise<string[]> {
  if (!(await hideName(client, name))) {
    throw new StartError(
      `${MAX_HIDDEN_NAMES} names are hidden, and there is no room for more: show some first`,
    )
  }
  await announce(client, ['leaderboard', 'attempts'])
  return [`${JSON.stringify(name)} and all that looks like it is hidden, of accounts and of guests.`]
}

async function show({ client }: Tools, name: string): Promise<string[]> {
  if (!(await showName(client, name))) throw new StartError(`${JSON.stringify(name)} is not hidden`)
  await announce(client, ['leaderboard', 'attempts'])
  return [`${JSON.stringify(name)} is shown again.`]
}

async function listHidden({ client }: Tools): Promise<string[]> {
  const names = await hiddenNames(client)
  if (names.length === 0) return ['No name is hidden.']
  return names.map(
    ({ username, hiddenAt }) => `${JSON.stringify(username)}, hidden since ${hiddenAt.toISOString()}`,
  )
}

function listFlagged(players: readonly FlaggedPlayer[]): string[] {
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
  const shown = names.slice(0, MAX_NAMES).map(name => JSON.stringify(name))
  const hidden = names.length - shown.length
  return hidden > 0 ? `${shown.join(', ')} and ${hidden} more` : shown.join(', ')
}

function usage(): string {
  const acts = Object.entries(ACTS).map(([name, { wants }]) =>
    ['npm run players', name, ...wants.map(want => `<${want}>`)].join(' '),
  )
  return `Say npm run players, or ${acts.join(', or ')}; a name with spaces in quotes`
}
