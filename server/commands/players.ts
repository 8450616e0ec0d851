import type { Command } from './command.ts'
import { ban, endSessions, remove, rename, resetPassword, unban } from './players/accounts.ts'
import { clearFlag } from './players/flags.ts'
import { act } from './players/game.ts'
import { list, listBanned, search } from './players/lists.ts'
import { hide, listHidden, unhide } from './players/names.ts'
import { show } from './players/show.ts'

/** `npm run players`: who there is, and what an operator does to accounts, names and flags. */
export const players: Command = {
  name: 'players',
  acts: [
    act(['list', 'banned', '[--json]'], 'Lists the banned accounts, the latest ban first.', listBanned),
    act(['list', 'hidden', '[--json]'], 'Lists the hidden names, of accounts and of guests.', listHidden),
    act(['list', '[id]', '[--json]'], 'Lists the accounts, the newest first, or from id:17 on.', list),
    act(['search', '<part>', '[--json]'], 'Lists the accounts that have this in their name.', search),
    act(
      ['show', '<name>', '[attempt]', '[--json]'],
      'Tells where the TAPS of an account come from, prize by prize, and what operators did to it; the prizes up to an attempt.',
      show,
    ),
    act(
      ['rename', '<name>', '<new name>'],
      'Gives an account another name, also in all that it has played.',
      rename,
    ),
    act(['hide', '<name>'], 'Takes a name off feed and leaderboard, of accounts and of guests.', hide),
    act(['unhide', '<name>'], 'Brings a hidden name back.', unhide),
    act(
      ['reset-password', '<name>'],
      'Gives an account a random password, printed once, and ends all its sessions.',
      resetPassword,
    ),
    act(['end-sessions', '<name>'], 'Signs an account out everywhere.', endSessions),
    act(
      ['ban', '<name>', '[reason]'],
      'Ends the sessions of an account and lets nobody sign in to it; its TAPS stay.',
      ban,
    ),
    act(['unban', '<name>'], 'Lets an account be signed in to again.', unban),
    act(
      ['delete', '<name>'],
      'Deletes an account for good; its TAPS go back to the pool, its attempts lose the name.',
      remove,
    ),
    act(
      ['clear-flag', '<player>'],
      'Lets a flagged player win again; of an account the name will do.',
      clearFlag,
    ),
  ],
}
