import { resolve } from 'node:path'
import { openBackup, writeBackup } from '../database/backup.ts'
import { removeOldBackups } from '../database/old-backups.ts'
import { restore } from '../database/restore.ts'
import { checkLedger } from '../game/ledger.ts'
import { noteAct } from '../identity/operator-acts.ts'
import { secretInUse } from '../secret.ts'
import { type Call, type Command, namedFolder, type Outcome, UsageError } from './command.ts'
import { withThrowaway } from './throwaway.ts'
import { withGame } from './with-database.ts'

/** `npm run backup`: the game as it is now, into a new folder; and whether such a folder is good for anything. */
export const backup: Command = {
  name: 'backup',
  acts: [
    {
      form: ['[folder]', '[--keep <number>]', '[--json]'],
      help:
        'Writes the game as it is now into a new folder, by default backups/taps-<time>. ' +
        'With --keep, of the backups of this game beside it only so many stay, the newest, the new one among them.',
      run: backUp,
    },
    {
      form: ['--verify <folder>', '[--json]'],
      help: 'Restores a backup into a database made for the moment, checks its ledger, and drops it again.',
      run: verify,
    },
  ],
}

async function backUp({ env, options }: Call, name?: string): Promise<Outcome> {
  const keep = numberToKeep(options.get('keep'))
  // Colons in names are trouble on some file systems.
  const now = new Date().toISOString().replaceAll(':', '-')
  const folder = name ? namedFolder(name) : resolve(`backups/taps-${now}`)
  const { secret, noted } = await withGame(env, async client => {
    const secret = await secretInUse(env)
    await writeBackup(client, folder, secret)
    return { secret, noted: await noteAct(client, { act: 'backup', detail: folder }) }
  })
  const { removed, kept } = keep ? await removeOldBackups(folder, secret, keep) : { removed: [], kept: [] }
  return {
    sound: true,
    lines: [
      `The backup is in ${folder}. It holds the secret of the game: keep it to yourself.`,
      ...(noted
        ? []
        : ['It could not be noted in the game: npm run doctor and /metrics know nothing of it.']),
      ...removed.map(old => `${old} is removed.`),
      ...kept.map(old => `${old} is damaged, and stays.`),
    ],
    data: { folder, removed, kept },
  }
}

/** @throws UsageError for what is no number of backups */
function numberToKeep(text?: string): number | null {
  if (text === undefined) return null
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UsageError(`--keep is "${text}": expected a whole number from 1 on`)
}

async function verify({ env, options }: Call): Promise<Outcome> {
  const folder = namedFolder(options.get('verify') ?? '')
  const backup = await openBackup(folder)
  const { sound, lines, data } = await withThrowaway(env, async client => {
    await restore(client, backup, async () => undefined)
    return checkLedger(client)
  })
  const end = sound ? 'is whole and can be restored.' : 'can be restored as it was: not sound.'
  return { sound, lines: [...lines, `The backup ${folder} ${end}`], data: { folder, ...data } }
}
