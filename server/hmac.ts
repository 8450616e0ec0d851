import { hash } from 'node:crypto'

/** SHA-256 works on blocks of this many bytes. */
const BLOCK_BYTES = 64
const DIGEST_BYTES = 32
const INNER = 0x36
const OUTER = 0x5c

/**
 * HMAC-SHA-256 (RFC 2104) under one key, by two one-shot hashes. A round needs it six times. `createHmac` makes an
 * object of the system for each: 2.9 µs and the garbage, where this takes 1.3 µs.
 */
export class Hmac {
  readonly #inner: Buffer
  /** The outer block, and room for the inner digest behind it. */
  readonly #outer: Buffer

  /**
   * @param key at most one block, as all our keys are
   * @param prefix what every message begins with
   */
  constructor(key: Buffer, prefix = '') {
    if (key.length > BLOCK_BYTES) throw new Error(`A key has at most ${BLOCK_BYTES} bytes`)
    this.#inner = Buffer.concat([pad(key, INNER), Buffer.from(prefix)])
    this.#outer = Buffer.concat([pad(key, OUTER), Buffer.alloc(DIGEST_BYTES)])
  }

  digest(message: Buffer): Buffer {
    // As text: the bytes of a digest as a string are made in half the time of a Buffer.
    const inner = hash('sha256', Buffer.concat([this.#inner, message]), 'binary')
    this.#outer.write(inner, BLOCK_BYTES, 'binary')
    return Buffer.from(hash('sha256', this.#outer, 'binary'), 'binary')
  }
}

function pad(key: Buffer, byte: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES, byte)
  for (const [place, value] of key.entries()) block[place] = value ^ byte
  return block
}
