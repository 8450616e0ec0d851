import { replaceFingerprint } from '../database/fingerprint.ts'
import { prepareDatabase } from '../database/prepare.ts'
import type { Env } from '../env.ts'
import { keptSecret, secretInUse } from '../secret.ts'
import type { Command, Outcome } from './command.ts'
import { withDatabase, withGame } from './with-database.ts'

/** `npm run migrate`: what a start does to the database, for a role that a server is not to have. */
export const migrate: Command = {
  name: 'migrate',
  acts: [
    {
      form: [],
      help: 'Brings the tables to this release, as every start does whose role owns them.',
      run: ({ env }) => bringToRelease(env),
    },
    {
      form: ['new-secret'],
      help: 'Makes the SECRET that is set now the one of the game: every password is void and every guest forgotten.',
      run: ({ env }) => changeSecret(env),
    },
  ],
}

async function bringToRelease(env: Env): Promise<Outcome> {
  const secret = await secretInUse(env)
  await withDatabase(env, client => prepareDatabase(client, secret))
  return { sound: true, lines: ['The database is of this release.'] }
}

async function changeSecret(env: Env): Promise<Outcome> {
  const secret = env.secret ?? (await keptSecret(env.dataDir, async () => false))
  await withGame(env, client => replaceFingerprint(client, secret))
  return { sound: true, lines: ['The game has the secret that is set now. Start every node anew.'] }
}
