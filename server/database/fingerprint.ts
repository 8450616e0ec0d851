import type { ClientBase } from 'pg'
import { deriveKeys } from '../lib/keys.ts'
import { StartError } from '../lib/start-error.ts'

const GAME_CHARS = 16

/**
 * Stores the secret's fingerprint, unless the database has one already.
 *
 * @param client - A connection in a transaction that holds the migration lock.
 * @throws {StartError} when the game was made with another secret
 */
export async function keepFingerprint(client: ClientBase, secret: string): Promise<void> {
  if (!(await matchesFingerprint(client, secret))) await replaceFingerprint(client, secret)
}

/**
 * Compares a secret with the game's fingerprint.
 *
 * @returns false when the database has no fingerprint yet
 * @throws {StartError} when the game was made with another secret
 */
export async function matchesFingerprint(client: ClientBase, secret: string): Promise<boolean> {
  const stored = await readFingerprint(client)
  if (stored === null) return false
  if (stored.equals(fingerprintOf(secret))) return true
  throw new StartError(
    'SECRET differs from the one this game was created with; use the SECRET of the other nodes or of a backup. ' +
      'To continue with a new secret, which voids every password and forgets every guest: ./taps new-secret',
  )
}

export async function replaceFingerprint(client: ClientBase, secret: string): Promise<void> {
  await client.query(
    `insert into game_secret (fingerprint) values ($1)
    on conflict (singleton) do update set fingerprint = excluded.fingerprint`,
    [fingerprintOf(secret)],
  )
}

export async function readFingerprint(client: ClientBase): Promise<Buffer | null> {
  const { rows } = await client.query<{ fingerprint: Buffer }>('select fingerprint from game_secret')
  return rows[0]?.fingerprint ?? null
}

function fingerprintOf(secret: string): Buffer {
  return deriveKeys(secret).fingerprint
}

/** Identifies a game by its secret: 16 hexadecimal digits. */
export function gameId(secret: string): string {
  return fingerprintOf(secret).toString('hex').slice(0, GAME_CHARS)
}
