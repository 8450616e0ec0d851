import { checkLedger } from '../play/ledger.ts'
import type { Command } from './command.ts'
import { withGame } from './with-database.ts'

export const LEDGER: Command = {
  form: 'ledger',
  help: 'Checks the ledger invariant, each balance and each hold; the exit code is 1 when a check fails.',
  run: call => withGame(call, checkLedger),
}
