import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Connection, NO_TIMEOUT } from '../server/database/connection.ts'
import { type Acknowledged, Auditor } from '../tests/support/audit.ts'
import { endNodes, ServerNode, type Settings } from '../tests/support/node.ts'
import { SharedPostgres } from '../tests/support/shared-postgres.ts'

const ROOT = new URL('../', import.meta.url)

/** Runs `measure` on a temporary PostgreSQL. */
export async function withPostgres<Result>(
  measure: (postgres: SharedPostgres) => Promise<Result>,
): Promise<Result> {
  const postgres = await SharedPostgres.open()
  try {
    return await measure(postgres)
  } finally {
    await endNodes()
    await postgres.close()
  }
}

/** Starts the server with the Node options of `npm start`. */
export async function startGame(settings: Settings): Promise<ServerNode> {
  const { scripts } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8'))
  const options = `${scripts.start}`.split(' ').filter(word => word.startsWith('--'))
  return ServerNode.start(settings, [...options, fileURLToPath(new URL('dist/server/main.js', ROOT))])
}

/**
 * Checks that no acknowledged attempt is lost and that the ledger balances.
 *
 * @throws Error when a check fails, so that no figures are printed
 */
export async function requireNothingLost(
  connection: Connection,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  // Has no timeout, because summing millions of attempts may take long.
  const auditor = new Auditor(connection, NO_TIMEOUT)
  try {
    const lost = await auditor.lost({ acknowledged, credited: new Map() })
    const wrong = [...lost, ...(await auditor.contradictions())]
    if (wrong.length > 0) throw new Error(wrong.join('\n'))
  } finally {
    await auditor.close()
  }
}
