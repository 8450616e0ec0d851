import { requireGame, runCommand } from '../command.ts'
import { withDatabase } from '../operator.ts'
import { runPlayers } from '../players.ts'

/** `npm run players` and `npm run players clear <player>`: who is flagged, and an end to it. */
await runCommand(({ env, say }) =>
  withDatabase(env, async client => {
    await requireGame(client)
    for (const line of await runPlayers(client, process.argv.slice(2))) say(line)
    return true
  }),
)
