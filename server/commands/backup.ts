import { resolve } from 'node:path'
import { writeBackup } from '../database/backup.ts'
import { secretInUse } from '../secret.ts'
import { namedFolder, requireGame, runCommand } from './command.ts'
import { withDatabase } from './with-database.ts'

/** `npm run backup [folder]`: the game as it is now, into a new folder. */
await runCommand(async ({ env, say }) => {
  // Colons in names are trouble on some file systems.
  const now = new Date().toISOString().replaceAll(':', '-')
  const name = process.argv[2]
  const folder = name ? namedFolder(name) : resolve(`backups/taps-${now}`)
  await withDatabase(env, async client => {
    await requireGame(client)
    await writeBackup(client, folder, await secretInUse(env))
  })
  say(`The backup is in ${folder}. It holds the secret of the game: keep it to yourself.`)
  return true
})
