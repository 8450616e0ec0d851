import { errorCode } from '../lib/files.ts'
import { type Call, type Command, complaint, type Outcome } from './command.ts'
import { type Check, type Finding, fail, warn } from './doctor/finding.ts'
import { GAME } from './doctor/game.ts'
import { MACHINE } from './doctor/machine.ts'
import { SERVER } from './doctor/server.ts'
import { withGame } from './with-database.ts'

/** `npm run doctor`: is everything as it should be? */
export const doctor: Command = {
  name: 'doctor',
  acts: [
    {
      form: ['[--json]'],
      help: 'Looks at settings, disk, database, secret, ledger, backups and the server; the exit code is 1 where something fails.',
      run: examine,
    },
  ],
}

type Named = Finding & { readonly check: string }

async function examine({ env }: Call): Promise<Outcome> {
  const checks = [
    ...(await lookAt(MACHINE, env)),
    ...(await withGame(env, client => lookAt(GAME, { env, client })).catch(unreachable)),
    ...(await lookAt(SERVER, env)),
  ]
  const failed = checks.filter(({ mark }) => mark === 'fail').length
  const warned = checks.filter(({ mark }) => mark === 'warn').length
  const sound = failed === 0
  const end = `${sound ? 'Sound' : 'Not sound'}: ${failed} failed, ${warned} to know of, of ${checks.length} checks.`
  return { sound, lines: [...checks.map(inWords), end], data: { sound, checks } }
}

async function lookAt<Subject>(checks: readonly Check<Subject>[], subject: Subject): Promise<Named[]> {
  const found: Named[] = []
  for (const { name, look } of checks) {
    const finding = await new Promise<Finding>(resolve => resolve(look(subject))).catch(notSeen)
    found.push({ check: name, ...finding })
  }
  return found
}

/** SQLSTATE of a table that is not there. */
const UNDEFINED_TABLE = '42P01'

function notSeen(error: unknown): Finding {
  if (errorCode(error) === UNDEFINED_TABLE) return warn('not known: the next start makes the table for it')
  return fail(complaint(error))
}

function unreachable(error: unknown): Named[] {
  return [{ check: 'database', ...fail(complaint(error)) }]
}

function inWords({ check, mark, words }: Named): string {
  const shown = mark === 'ok' ? mark : mark.toUpperCase()
  return `${shown.padEnd(6)}${check.padEnd(10)}${words}`
}
