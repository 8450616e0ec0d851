import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA-256 cut to 128 bits: no guess has a chance, and tokens stay short. */
const MAC_BYTES = 16

/**
 * Seals bytes into one text: base64url of the bytes and their MAC.
 *
 * @param use names what is sealed, so that one kind of token never passes for another
 */
export function seal(key: Buffer, use: string, payload: Buffer): string {
  return Buffer.concat([payload, mac(key, use, payload)]).toString('base64url')
}

/** The bytes of a text that `seal` made, or null. There is one text per payload: no other spelling passes. */
export function unseal(key: Buffer, use: string, text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return null
  const payload = bytes.subarray(0, -MAC_BYTES)
  return timingSafeEqual(bytes.subarray(-MAC_BYTES), mac(key, use, payload)) ? payload : null
}

function mac(key: Buffer, use: string, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(use).update('\0').update(payload).digest().subarray(0, MAC_BYTES)
}
