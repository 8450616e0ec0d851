import { openBackup } from '../database/backup.ts'
import { restore } from '../database/restore.ts'
import { checkLedger } from '../game/ledger.ts'
import { StartError } from '../lib/start-error.ts'
import { adoptSecret } from '../secret.ts'
import { namedFolder, runCommand } from './command.ts'
import { withDatabase } from './with-database.ts'

/** `npm run restore <folder>`: the game of a backup, into an empty place. */
await runCommand(async ({ env, say }) => {
  const name = process.argv[2]
  if (!name) throw new StartError('Name the folder of the backup: npm run restore <folder>')
  const folder = namedFolder(name)
  const backup = await openBackup(folder)
  const { sound, lines } = await withDatabase(env, async client => {
    await restore(client, backup, secret => adoptSecret(env, secret))
    return checkLedger(client)
  })
  for (const line of lines) say(line)
  say(
    sound ? `The game of ${folder} is restored.` : `The game of ${folder} is restored as it was: not sound.`,
  )
  return sound
})
