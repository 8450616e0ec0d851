import { resolve } from 'node:path'
import { writeBackup } from '../database/backup.ts'
import { secretInUse } from '../secret.ts'
import { type Call, type Command, namedFolder, type Outcome } from './command.ts'
import { withGame } from './with-database.ts'

/** `npm run backup`: the game as it is now, into a new folder. */
export const backup: Command = {
  name: 'backup',
  acts: [
    {
      form: ['[folder]', '[--json]'],
      help: 'Writes the game as it is now into a new folder, by default backups/taps-<time>.',
      run: backUp,
    },
  ],
}

async function backUp({ env }: Call, name?: string): Promise<Outcome> {
  // Colons in names are trouble on some file systems.
  const now = new Date().toISOString().replaceAll(':', '-')
  const folder = name ? namedFolder(name) : resolve(`backups/taps-${now}`)
  await withGame(env, async client => writeBackup(client, folder, await secretInUse(env)))
  const line = `The backup is in ${folder}. It holds the secret of the game: keep it to yourself.`
  return { sound: true, lines: [line], data: { folder } }
}
