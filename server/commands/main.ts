import { backup } from './backup.ts'
import { runCommand } from './command.ts'
import { doctor } from './doctor.ts'
import { ledger } from './ledger.ts'
import { migrate } from './migrate.ts'
import { players } from './players.ts'
import { restore } from './restore.ts'

/** The program behind the operator's commands; the name of one comes first. */
const [name, ...args] = process.argv.slice(2)
const command = [backup, doctor, ledger, migrate, players, restore].find(command => command.name === name)
if (!command) throw new Error(`No command is called ${name}`)
await runCommand(command, args)
