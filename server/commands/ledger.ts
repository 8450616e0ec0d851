import { checkLedger } from '../game/ledger.ts'
import { requireGame, runCommand } from './command.ts'
import { withDatabase } from './with-database.ts'

/** `npm run ledger`: does the law of the ledger hold? */
await runCommand(({ env, say }) =>
  withDatabase(env, async client => {
    await requireGame(client)
    const { sound, lines } = await checkLedger(client)
    for (const line of lines) say(line)
    return sound
  }),
)
