import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA-256 cut to 128 bits: no guess has a chance, and tokens stay short. */
const MAC_BYTES = 16

/** Seals bytes into one text: base64url of the bytes and their MAC. */
export class Seal {
  readonly #key: Buffer
  readonly #prefix: string

  /** @param use names what is sealed, so that one kind of token never passes for another */
  constructor(key: Buffer, use: string) {
    this.#key = key
    this.#prefix = `${use}\0`
  }

  seal(payload: Buffer): string {
    return Buffer.concat([payload, this.#mac(payload)]).toString('base64url')
  }

  /** The bytes of a text that `seal` made, or null. There is one text per payload: no other spelling passes. */
  unseal(text: string): Buffer | null {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return null
    const payload = bytes.subarray(0, -MAC_BYTES)
    return timingSafeEqual(bytes.subarray(-MAC_BYTES), this.#mac(payload)) ? payload : null
  }

  #mac(payload: Buffer): Buffer {
    return createHmac('sha256', this.#key)
      .update(this.#prefix)
      .update(payload)
      .digest()
      .subarray(0, MAC_BYTES)
  }
}
