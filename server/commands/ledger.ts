import { checkLedger } from '../game/ledger.ts'
import type { Command } from './command.ts'
import { withGame } from './with-database.ts'

/** Checks the law of the ledger. */
export const LEDGER: Command = {
  form: 'ledger',
  help: 'Checks the law of the ledger, each balance and each hold; the exit code is 1 where one is off.',
  run: call => withGame(call, checkLedger),
}
