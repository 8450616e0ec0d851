import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'

/** HMAC-SHA-256 cut to 128 bits: no guess has a chance, and tokens stay short. */
const MAC_BYTES = 16
/** Of 10,000 players at least, in about 5 MB. */
const MAX_REMEMBERED = 20_000

/** How a value is written as bytes; the same value always as the same ones. */
export interface Encoding<Value> {
  encode(value: Value): Buffer
  /** The value of bytes that `encode` made, or null for those of another kind of value. */
  decode(bytes: Buffer): Value | null
}

/**
 * Signs values: texts of: base64url of their bytes and a MAC of these. What it sealed or checked lately it knows again
 * without a MAC, since a player's next call shows what the last one was given: a round needs two MACs instead of six.
 */
export class TokenSigner<Value> {
  readonly #key: KeyObject
  readonly #prefix: Buffer
  readonly #encoding: Encoding<Value>
  readonly #known = new BoundedMap<Value>(MAX_REMEMBERED)

  /** @param use names what is sealed, so that one kind of token never passes for another */
  constructor(key: Buffer, use: string, encoding: Encoding<Value>) {
    this.#key = createSecretKey(key)
    this.#prefix = Buffer.from(`${use}\0`)
    this.#encoding = encoding
  }

  sign(value: Value): string {
    const bytes = this.#encoding.encode(value)
    const text = Buffer.concat([bytes, this.#mac(bytes)]).toString('base64url')
    this.#known.set(text, value)
    return text
  }

  /** The value of a text that `sign` made, or null. There is one text per value: no other spelling passes. */
  verify(text: string): Value | null {
    return this.#known.get(text) ?? this.#check(text)
  }

  #check(text: string): Value | null {
    const sealed = Buffer.from(text, 'base64url')
    const spelling = sealed.toString('base64url')
    if (sealed.length <= MAC_BYTES || spelling !== text) return null
    const bytes = sealed.subarray(0, -MAC_BYTES)
    if (!timingSafeEqual(sealed.subarray(-MAC_BYTES), this.#mac(bytes))) return null
    const value = this.#encoding.decode(bytes)
    // Not `text`: it may be a part of a long header, and would keep all of it.
    if (value !== null) this.#known.set(spelling, value)
    return value
  }

  #mac(bytes: Buffer): Buffer {
    const message = Buffer.concat([this.#prefix, bytes])
    return createHmac('sha256', this.#key).update(message).digest().subarray(0, MAC_BYTES)
  }
}
