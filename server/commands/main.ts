import { BACKUP } from './backup.ts'
import { runCommand } from './command.ts'
import { DOCTOR } from './doctor.ts'
import { LEDGER } from './ledger.ts'
import { NEW_SECRET } from './new-secret.ts'
import { PLAYERS } from './players.ts'
import { SQL } from './sql.ts'

await runCommand([DOCTOR, ...BACKUP, ...PLAYERS, LEDGER, SQL, NEW_SECRET], process.argv.slice(2))
