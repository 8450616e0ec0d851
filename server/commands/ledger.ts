import { checkLedger } from '../game/ledger.ts'
import type { Command } from './command.ts'
import { withGame } from './with-database.ts'

/** `npm run ledger`: does the law of the ledger hold? */
export const ledger: Command = {
  name: 'ledger',
  acts: [{ form: [], run: env => withGame(env, checkLedger) }],
}
