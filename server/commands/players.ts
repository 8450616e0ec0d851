import { Passwords } from '../identity/passwords.ts'
import { deriveKeys } from '../lib/keys.ts'
import { secretInUse } from '../secret.ts'
import { requireGame, runCommand } from './command.ts'
import { runPlayers } from './moderation.ts'
import { withDatabase } from './with-database.ts'

/** `npm run players` and `npm run players <act> …`: who is flagged, and what an operator does to players. */
await runCommand(({ env, say }) =>
  withDatabase(env, async client => {
    await requireGame(client)
    const passwords = async () => new Passwords(deriveKeys(await secretInUse(env)).pepper)
    for (const line of await runPlayers({ client, passwords }, process.argv.slice(2))) say(line)
    return true
  }),
)
