import type { Connection } from '../../server/database/pool.ts'
import { checkLedger } from '../../server/game/ledger.ts'
import type { Acknowledged } from '../../tests/support/answers.ts'
import { Auditor } from '../../tests/support/audit.ts'
import { withClient } from '../../tests/support/connect.ts'

/**
 * Checks that every acknowledged attempt is in the table and that the ledger balances.
 *
 * @throws Error when anything is missing or wrong, so that no figure is printed
 */
export async function requireAll(
  connection: Connection,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const auditor = new Auditor(connection)
  try {
    const lost = await auditor.lost(acknowledged)
    if (lost.length > 0) throw new Error(`${lost.length} of ${acknowledged.length} attempts are LOST`)
    // Adding up ten million attempts takes longer than a server lets a statement take.
    const { ok, lines } = await withClient(connection, checkLedger)
    if (!ok) throw new Error(`The ledger is WRONG: ${lines.join(' ')}`)
  } finally {
    await auditor.close()
  }
}
