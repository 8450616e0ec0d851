import { hkdfSync } from 'node:crypto'

const KEY_BYTES = 32

export type Keys = Readonly<ReturnType<typeof deriveKeys>>

/** Derives one key for each use (HKDF-SHA-256, RFC 5869), so that a leaked key reveals no other key. */
export function deriveKeys(secret: string) {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `taps ${use} 1`, KEY_BYTES))
  return {
    tokens: derive('tokens'),
    cookies: derive('cookies'),
    targets: derive('targets'),
    /** The key of the passwords in a game of release 1.0; newer games have a random key. */
    pepper: derive('pepper'),
    /** The key stored in the database to recognise the secret. */
    fingerprint: derive('fingerprint'),
  }
}
