import { BACKUP } from './backup.ts'
import { runCommand } from './command.ts'
import { DOCTOR } from './doctor.ts'
import { LEDGER } from './ledger.ts'
import { NEW_SECRET } from './new-secret.ts'
import { RESULTS } from './results.ts'
import { SQL } from './sql.ts'
import { USERS } from './users.ts'
import { WORDS } from './words.ts'

await runCommand(
  [DOCTOR, ...BACKUP, ...USERS, ...WORDS, ...RESULTS, LEDGER, ...SQL, NEW_SECRET],
  process.argv.slice(2),
)
