import type { ClientBase } from 'pg'
import { requireOneGame } from '../embedded/installation.ts'
import { VERSION } from '../lib/project.ts'
import {
  accounts,
  backup,
  type CheckResult,
  checkServer,
  database,
  disk,
  failure,
  ledger,
  secret,
  words,
} from './checks.ts'
import type { Call, Command } from './command.ts'
import type { Outcome } from './output.ts'
import { withGame } from './with-database.ts'

export const DOCTOR: Command = {
  form: 'doctor',
  help: 'Checks all that a start needs, the ledger, the last backup and the server; the exit code is 1 when a check fails.',
  run: examine,
}

/** The checks of a game's database. */
const CHECKS = { database, secret, accounts, ledger, backup } as const

type Named = CheckResult & { readonly check: string }

async function examine(call: Call): Promise<Outcome> {
  const { env } = call
  const results: Named[] = [
    { check: 'disk', ...(await disk(env)) },
    { check: 'words', ...(await words(env).catch(failure)) },
  ]
  const inGame = async (client: ClientBase) => {
    for (const [check, look] of Object.entries(CHECKS)) {
      results.push({ check, ...(await look(client, env).catch(failure)) })
    }
  }
  const openGame = async () => {
    // Checks first, because the other game's database may be unavailable.
    requireOneGame(env)
    await withGame(call, inGame)
  }
  await openGame().catch(error => results.push({ check: 'database', ...failure(error) }))
  results.push({ check: 'server', ...(await checkServer(env)) })
  const failed = results.filter(({ status }) => status === 'FAIL').length
  const end = `TAPS ${VERSION}, Node ${process.versions.node}: ${failed} of ${results.length} checks failed.`
  const lines = results.map(
    ({ check, status, message }) => `${status.padEnd(6)}${check.padEnd(10)}${message}`,
  )
  return { ok: failed === 0, lines: [...lines, end] }
}
