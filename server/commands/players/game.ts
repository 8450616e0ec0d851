import type { ClientBase } from 'pg'
import { readSchema } from '../../database/migrate.ts'
import type { Env } from '../../env.ts'
import { type Account, accountOfId, accountOfName } from '../../identity/directory.ts'
import { StartError } from '../../lib/start-error.ts'
import { type Act, type Outcome, UsageError } from '../command.ts'
import type { Form } from '../form.ts'
import { withGame } from '../with-database.ts'

/** What an act of `npm run players` works on. */
export interface Game {
  readonly client: ClientBase
  readonly env: Env
}

/** What came of it; sound unless it says otherwise. */
export type Report = Pick<Outcome, 'lines'> & Partial<Outcome>

/** One thing that `npm run players` does. */
export function act(form: Form, help: string, run: (game: Game, ...given: string[]) => Promise<Report>): Act {
  return {
    form,
    help,
    async run({ env }, ...given) {
      const report = await withGame(env, async client => {
        await requireThisRelease(client)
        return run({ client, env }, ...given)
      })
      return { sound: true, ...report }
    },
  }
}

async function requireThisRelease(client: ClientBase): Promise<void> {
  const { pending } = await readSchema(client)
  if (pending.length === 0) return
  throw new StartError('This game is of an earlier release: start this one first, which brings it up to date')
}

/** The number in `id:17`; undefined for anything else, names among them, which have no colon. */
export function idIn(words: string): number | undefined {
  const [, id] = /^id:(\d{1,15})$/.exec(words) ?? []
  return id === undefined ? undefined : Number(id)
}

/** The account that an operator means by its name, however it is written, or by its number. */
export function findAccount(client: ClientBase, words: string): Promise<Account | undefined> {
  const id = idIn(words)
  return id === undefined ? accountOfName(client, words) : accountOfId(client, id)
}

/** @throws StartError when there is no such account */
export async function requireAccount(client: ClientBase, words: string): Promise<Account> {
  const account = await findAccount(client, words)
  if (!account) throw noAccount(words)
  return account
}

/** For words that no account goes by. */
export function noAccount(words: string): StartError {
  return new StartError(`There is no account called ${quote(words)}`)
}

/** @throws UsageError unless it is the number of an attempt */
export function attemptIn(words: string): number {
  if (!/^\d{1,15}$/.test(words)) throw new UsageError(`${quote(words)} is not the number of an attempt`)
  return Number(words)
}

/** Shows where a name begins and ends, and what in it would not be seen. */
export function quote(name: string): string {
  return JSON.stringify(name)
}

/** `1 session`, `2 sessions`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}
