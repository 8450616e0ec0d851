import { hkdfSync } from 'node:crypto'

const KEY_BYTES = 32

/** The keys of the server, one per use, all from the one SECRET. */
export type Keys = Readonly<ReturnType<typeof deriveKeys>>

/**
 * Derives every key (HKDF-SHA-256, RFC 5869), so that one leaking use says nothing of another.
 *
 * @param secret at least 32 characters
 */
export function deriveKeys(secret: string) {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `taps ${use} 1`, KEY_BYTES))
  return {
    tokens: derive('tokens'),
    cookies: derive('cookies'),
    targets: derive('targets'),
    pepper: derive('pepper'),
    /** Noted in the database, where it tells one secret from another. */
    fingerprint: derive('fingerprint'),
  }
}
