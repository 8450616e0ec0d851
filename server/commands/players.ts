import type { ClientBase } from 'pg'
import { checkName } from '../../contract/name.ts'
import type { Env } from '../env.ts'
import { clearFlag, type FlaggedPlayer, flaggedPlayers } from '../game/flags.ts'
import * as moderation from '../identity/moderation.ts'
import { PasswordHasher } from '../identity/passwords.ts'
import { deriveKeys } from '../lib/keys.ts'
import { StartError } from '../lib/start-error.ts'
import { Limiter } from '../limits/limiter.ts'
import { announce } from '../live/pubsub.ts'
import { secretInUse } from '../secret.ts'
import type { Act, Command } from './command.ts'
import type { Form } from './form.ts'
import { withGame } from './with-database.ts'

/** A guest may use another name in every attempt; these many tell an operator enough. */
const MAX_NAMES = 5

const PLAYER = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** `npm run players`: who is flagged, and what an operator does to players and names. */
export const players: Command = {
  name: 'players',
  acts: [
    act([], 'Lists who is flagged for stopping more steadily than a hand can.', listFlagged),
    act(['clear', '<player>'], 'Lets a flagged player win again.', clear),
    act(
      ['reset-password', '<name>'],
      'Gives an account a random password, printed once, and ends all its sessions.',
      resetPassword,
    ),
    act(
      ['rename', '<name>', '<new name>'],
      'Gives an account another name, also in all that it has played.',
      rename,
    ),
    act(['hide', '<name>'], 'Takes a name off feed and leaderboard, of accounts and of guests.', hide),
    act(['show', '<name>'], 'Brings a hidden name back.', show),
    act(['hidden'], 'Lists the hidden names.', listHidden),
  ],
}

interface Game {
  readonly client: ClientBase
  readonly env: Env
}

/** @param run does something to the game and gives the lines to print */
function act(form: Form, help: string, run: (game: Game, ...given: string[]) => Promise<string[]>): Act {
  return {
    form,
    help,
    async run({ env }, ...given) {
      return { sound: true, lines: await withGame(env, client => run({ client, env }, ...given)) }
    },
  }
}

async function listFlagged({ client }: Game): Promise<string[]> {
  const flagged = await flaggedPlayers(client)
  return flagged.length > 0 ? flagged.map(describe) : ['No player is flagged.']
}

async function clear({ client }: Game, player: string): Promise<string[]> {
  if (!PLAYER.test(player)) throw new StartError(`${quote(player)} is not a player of npm run players`)
  if (!(await clearFlag(client, player))) throw new StartError(`${player} is not flagged`)
  return [`${player} can win again; attempts until now are forgotten.`]
}

async function resetPassword({ client, env }: Game, name: string): Promise<string[]> {
  const { pepper } = deriveKeys(await secretInUse(env))
  const passwords = new PasswordHasher(pepper, new Limiter(false)).for({ address: 'here', account: name })
  const password = await moderation.resetPassword(client, passwords, name)
  if (!password) throw new StartError(`There is no account called ${quote(name)}`)
  return [
    `The password of ${quote(name)} is now ${password}`,
    `It is shown only here and opens the account for ${moderation.PASSWORD_DAYS} days: its owner should change it in the account menu.`,
    'All sessions of the account are ended.',
  ]
}

async function rename({ client }: Game, name: string, next: string): Promise<string[]> {
  const check = checkName(next)
  if (!check.ok) throw new StartError(check.problem)
  const renamed = await moderation.renameAccount(client, name, check.name)
  if (renamed === null) throw new StartError(`There is no account called ${quote(name)}`)
  if (!renamed) {
    throw new StartError(`${quote(check.name)} is an account already, perhaps written in another way`)
  }
  await announce(client, ['leaderboard', 'attempts'])
  return [`${quote(name)} is now called ${quote(check.name)}, here and in all its attempts.`]
}

async function hide({ client }: Game, name: string): Promise<string[]> {
  if (!(await moderation.hideName(client, name))) {
    const max = moderation.MAX_HIDDEN_NAMES
    throw new StartError(`${max} names are hidden, and there is no room for more: show some first`)
  }
  await announce(client, ['leaderboard', 'attempts'])
  return [`${quote(name)} is hidden, however it is written, of accounts and of guests.`]
}

async function show({ client }: Game, name: string): Promise<string[]> {
  if (!(await moderation.showName(client, name))) throw new StartError(`${quote(name)} is not hidden`)
  await announce(client, ['leaderboard', 'attempts'])
  return [`${quote(name)} is shown again.`]
}

async function listHidden({ client }: Game): Promise<string[]> {
  const names = await moderation.hiddenNames(client)
  if (names.length === 0) return ['No name is hidden.']
  return names.map(({ username, hiddenAt }) => `${quote(username)}, hidden since ${hiddenAt.toISOString()}`)
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

/** Shows where a name begins and ends, and what in it would not be seen. */
function quote(name: string): string {
  return JSON.stringify(name)
}
