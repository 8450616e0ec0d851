import { replaceFingerprint } from '../database/fingerprint.ts'
import { noteAct } from '../operators/operator-acts.ts'
import { loadOrCreateSecret } from '../secret.ts'
import type { Call, Command, Outcome } from './command.ts'
import { withGame } from './with-database.ts'

export const NEW_SECRET: Command = {
  form: 'new-secret',
  help: 'Adopts the current SECRET for the game. Voids every password and forgets every guest; sessions stay.',
  run: changeSecret,
}

async function changeSecret(call: Call): Promise<Outcome> {
  await withGame(call, async client => {
    const secret = call.env.secret ?? (await loadOrCreateSecret(call.env.dataDir, async () => false))
    await replaceFingerprint(client, secret)
    await noteAct(client, { act: 'new-secret' })
  })
  return { ok: true, lines: ['The game now uses the current secret. Restart every node.'] }
}
