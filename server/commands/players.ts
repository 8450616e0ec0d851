import { requireGame, runCommand } from '../command.ts'
import { withDatabase } from '../operator.ts'
import { deriveKeys } from '../people/keys.ts'
import { Passwords } from '../people/passwords.ts'
import { runPlayers } from '../people/players.ts'
import { secretInUse } from '../secret.ts'

/** `npm run players` and `npm run players <act> …`: who is flagged, and what an operator does to players. */
await runCommand(({ env, say }) =>
  withDatabase(env, async client => {
    await requireGame(client)
    const passwords = async () => new Passwords(deriveKeys(await secretInUse(env)).pepper)
    for (const line of await runPlayers({ client, passwords }, process.argv.slice(2))) say(line)
    return true
  }),
)
