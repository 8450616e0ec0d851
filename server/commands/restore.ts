import { openBackup } from '../database/backup.ts'
import { restore as restoreGame } from '../database/restore.ts'
import { checkLedger } from '../game/ledger.ts'
import { adoptSecret } from '../secret.ts'
import { type Call, type Command, namedFolder, type Outcome } from './command.ts'
import { withDatabase } from './with-database.ts'

/** `npm run restore`: the game of a backup, into an empty place. */
export const restore: Command = {
  name: 'restore',
  acts: [
    {
      form: ['<folder>'],
      help: 'Puts the game of a backup into an empty place: a data folder or a database without a game.',
      run: restoreBackup,
    },
  ],
}

async function restoreBackup({ env }: Call, name: string): Promise<Outcome> {
  const folder = namedFolder(name)
  const backup = await openBackup(folder)
  const { sound, lines } = await withDatabase(env, async client => {
    await restoreGame(client, backup, secret => adoptSecret(env, secret))
    return checkLedger(client)
  })
  const end = sound ? 'is restored.' : 'is restored as it was: not sound.'
  return { sound, lines: [...lines, `The game of ${folder} ${end}`] }
}
