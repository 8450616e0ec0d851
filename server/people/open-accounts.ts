import { readPasswordKey } from '../database/fingerprint.ts'
import type { Database } from '../database/pool.ts'
import { createAuthenticator } from './authenticator.ts'
import { createEndSession } from './end-session.ts'
import { PasswordHasher } from './passwords.ts'
import type { RefusedNameCheck } from './refused-words.ts'

interface Deps {
  readonly env: { readonly rateLimits: boolean }
  readonly database: Database
  readonly isRefusedName: RefusedNameCheck
  /** bcrypt's cost; tests use a lower cost. */
  readonly hashCost?: number | undefined
}

export type Accounts = ReturnType<typeof openAccounts>

export function openAccounts({ env, database, isRefusedName, hashCost }: Deps) {
  return {
    authenticator: createAuthenticator(database),
    database,
    endSession: createEndSession(database),
    isRefusedName,
    passwordHasher: new PasswordHasher(
      () => readPasswordKey(database),
      env.rateLimits ? undefined : Number.POSITIVE_INFINITY,
      hashCost,
    ),
  }
}
