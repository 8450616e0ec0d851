import { replaceFingerprint } from '../database/fingerprint.ts'
import { runAudited } from '../people/moderation.ts'
import { loadOrCreateSecret } from '../secret.ts'
import type { Command } from './command.ts'
import { withCurrentGame } from './with-database.ts'

export const NEW_SECRET: Command = {
  form: 'new-secret',
  help: 'Adopts the current SECRET for the game. Forgets every guest; passwords and sessions stay valid.',
  run: call =>
    withCurrentGame(call, async client => {
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
