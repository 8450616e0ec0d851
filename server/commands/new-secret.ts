import type { ClientBase } from 'pg'
import { replaceFingerprint } from '../database/fingerprint.ts'
import { StartError } from '../lib/process.ts'
import { runAudited } from '../people/moderation.ts'
import { loadOrCreateSecret } from '../secret.ts'
import { type Call, type Command, type Outcome, UsageError } from './command.ts'
import { withGame } from './with-database.ts'

const LOST = '--lost'

export const NEW_SECRET: Command = {
  form: `new-secret [${LOST}]`,
  help: 'Adopts the current SECRET for the game. Forgets every guest; passwords and sessions stay (--lost: not those of 1.0).',
  run: changeSecret,
}

async function changeSecret(call: Call, option?: string): Promise<Outcome> {
  if (option !== undefined && option !== LOST) throw new UsageError(`Unknown option ${option}`)
  const keepsPasswords = await withGame(call, async client => {
    const hasKey = await hasPasswordKey(client)
    if (!hasKey && option !== LOST) {
      throw new StartError(
        'Start this game once with its old secret, because otherwise no password works any more. ' +
          `If the old secret is lost: ./taps new-secret ${LOST}`,
      )
    }
    const secret = call.env.secret ?? (await loadOrCreateSecret(call.env.dataDir, async () => false))
    await replaceFingerprint(client, secret)
    await runAudited(client, { act: 'new-secret' })
    return hasKey
  })
  const passwords = keepsPasswords
    ? 'Passwords and sessions stay valid.'
    : 'No password works any more; sessions stay valid.'
  return { ok: true, lines: [`The game now uses the current secret. ${passwords} Restart every node.`] }
}

/**
 * Returns whether the database keeps the key of the passwords. Reads the row as JSON, because a game of an earlier
 * release lacks the column.
 */
async function hasPasswordKey(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(
    `select to_jsonb(game_secret) ->> 'password_key' is not null as has from game_secret`,
  )
  return rows[0]?.has === true
}
