import { readPasswordKey, replaceFingerprint } from '../database/fingerprint.ts'
import { loadOrCreateSecret } from '../secret.ts'
import type { Command } from './command.ts'
import { runAudited } from './operator-acts.ts'
import { withGame } from './with-database.ts'

export const NEW_SECRET: Command = {
  form: 'new-secret',
  help: 'Adopts the current SECRET for the game. Forgets every guest; passwords and sessions stay valid.',
  run: call =>
    withGame(call, async client => {
      // Refuses a game of release 1.0, whose passwords depend on the old secret until a start stores their key.
      await readPasswordKey(client)
      await replaceFingerprint(client, await loadOrCreateSecret(call.env))
      await runAudited(client, { act: 'new-secret' })
      return {
        ok: true,
        lines: [
          'The game now uses the current secret. Passwords and sessions stay valid. Restart every node.',
        ],
      }
    }),
}
