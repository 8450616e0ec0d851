import { randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import { deriveKeys } from '../lib/derived-keys.ts'
import { StartError } from '../lib/errors.ts'
import type { Database } from './connection.ts'

const GAME_CHARS = 16
const PASSWORD_KEY_BYTES = 32

/**
 * Stores the secret's fingerprint and the key that passwords are hashed with, unless the database has them. A new
 * game gets a random key. A game of an earlier release keeps the key that its secret gives, so its passwords stay
 * valid.
 *
 * @param client - A connection in a transaction that holds the migration lock.
 * @throws {StartError} when the game was made with another secret
 */
export async function recordSecret(client: ClientBase, secret: string): Promise<void> {
  const isKnown = await matchesFingerprint(client, secret)
  await client.query(
    `insert into game_secret (fingerprint, password_key) values ($1, $2)
    on conflict (singleton) do update
    set password_key = coalesce(game_secret.password_key, excluded.password_key)`,
    [fingerprintOf(secret), isKnown ? deriveKeys(secret).pepper : randomBytes(PASSWORD_KEY_BYTES)],
  )
}

/**
 * Compares a secret with the game's fingerprint.
 *
 * @returns false when the database has no fingerprint yet
 * @throws {StartError} when the game was made with another secret
 */
export async function matchesFingerprint(client: ClientBase, secret: string): Promise<boolean> {
  const { rows } = await client.query<{ fingerprint: Buffer }>('select fingerprint from game_secret')
  const [stored] = rows
  if (!stored) return false
  if (stored.fingerprint.equals(fingerprintOf(secret))) return true
  throw new StartError(
    "SECRET differs from the game's secret; use the SECRET of the other nodes, or the file secret of a backup. " +
      'To continue with a new secret, which forgets every guest: ./taps new-secret',
  )
}

export async function replaceFingerprint(client: ClientBase, secret: string): Promise<void> {
  await client.query(
    `insert into game_secret (fingerprint) values ($1)
    on conflict (singleton) do update set fingerprint = excluded.fingerprint`,
    [fingerprintOf(secret)],
  )
}

function fingerprintOf(secret: string): Buffer {
  return deriveKeys(secret).fingerprint
}

/**
 * Reads the key that passwords are hashed with.
 *
 * @throws {StartError} when a release without this key made the game, and no start has upgraded the game
 */
export async function readPasswordKey(client: Database | ClientBase): Promise<Buffer> {
  const { rows } = await client.query<{ key: Buffer | null }>('select password_key as key from game_secret')
  const key = rows[0]?.key
  if (key) return key
  throw new StartError('The game has no key for passwords yet: start the server first, to upgrade the game')
}

/** Identifies a game by its secret: 16 hexadecimal digits. */
export function gameId(secret: string): string {
  return fingerprintOf(secret).toString('hex').slice(0, GAME_CHARS)
}
