import { createAuthenticator } from '../callers/authenticator.ts'
import { createEndSession } from '../callers/end-session.ts'
import type { DatabaseClock } from '../database/clock.ts'
import type { Database } from '../database/pool.ts'
import type { Keys } from '../lib/keys.ts'
import type { RefusedNameCheck } from '../names/refused-words.ts'
import { PasswordHasher } from './passwords.ts'

interface Deps {
  readonly env: { readonly rateLimits: boolean }
  readonly keys: Pick<Keys, 'pepper'>
  readonly database: Database
  readonly clock: Pick<DatabaseClock, 'now'>
  readonly isRefusedName: RefusedNameCheck
  /** bcrypt's cost; tests use a lower cost. */
  readonly hashCost?: number | undefined
}

export type Accounts = ReturnType<typeof openAccounts>

export function openAccounts({ env, keys, database, clock, isRefusedName, hashCost }: Deps) {
  return {
    authenticator: createAuthenticator(database, clock),
    database,
    endSession: createEndSession(database),
    isRefusedName,
    passwordHasher: new PasswordHasher(keys.pepper, env.rateLimits, hashCost),
  }
}
