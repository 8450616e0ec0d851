import { checkLedger } from '../game/ledger.ts'
import type { Command } from './command.ts'
import { withGame } from './with-database.ts'

/** `npm run ledger`: does the law of the ledger hold? */
export const ledger: Command = {
  name: 'ledger',
  acts: [
    {
      form: ['[--json]'],
      help: 'Checks the law of the ledger, each balance and each hold; the exit code is 1 where one is off.',
      run: ({ env }) => withGame(env, checkLedger),
    },
  ],
}
