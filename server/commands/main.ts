import { BACKUP } from './backup.ts'
import { runCommand } from './command.ts'
import { DOCTOR } from './doctor.ts'
import { LEDGER } from './ledger.ts'
import { NEW_SECRET } from './new-secret.ts'
import { SQL } from './sql.ts'
import { USERS } from './users.ts'
import { WINNERS } from './winners.ts'
import { WORDS } from './words.ts'

await runCommand(
  [DOCTOR, ...BACKUP, ...USERS, ...WORDS, WINNERS, LEDGER, SQL, NEW_SECRET],
  process.argv.slice(2),
)
