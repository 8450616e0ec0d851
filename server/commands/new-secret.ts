import type { ClientBase } from 'pg'
import { replaceFingerprint } from '../database/fingerprint.ts'
import { noteAct } from '../people/operator-acts.ts'
import { loadOrCreateSecret } from '../secret.ts'
import type { Call, Command, Outcome } from './command.ts'
import { withGame } from './with-database.ts'

export const NEW_SECRET: Command = {
  form: 'new-secret',
  help: 'Adopts the current SECRET for the game. Forgets every guest; passwords and sessions stay.',
  run: changeSecret,
}

async function changeSecret(call: Call): Promise<Outcome> {
  const keepsPasswords = await withGame(call, async client => {
    const secret = call.env.secret ?? (await loadOrCreateSecret(call.env.dataDir, async () => false))
    await replaceFingerprint(client, secret)
    await noteAct(client, { act: 'new-secret' })
    return hasPasswordKey(client)
  })
  const passwords = keepsPasswords
    ? 'Passwords and sessions stay valid.'
    : 'No password works any more, because this game has not been upgraded with its old secret.'
  return { ok: true, lines: [`The game now uses the current secret. ${passwords} Restart every node.`] }
}

/** Reads the row as JSON, because a game of an earlier release lacks the column. */
async function hasPasswordKey(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(
    `select to_jsonb(game_secret) ->> 'password_key' is not null as has from game_secret`,
  )
  return rows[0]?.has === true
}
