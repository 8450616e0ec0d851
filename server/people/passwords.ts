import { createHmac } from 'node:crypto'
import { compare, hash } from 'bcrypt'
import { HASH_QUEUE } from '../../contract/limits.ts'
import { nameKey } from '../../contract/name.ts'
import { NAME_MAX_LENGTH, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../contract/rules.ts'
import { readList } from '../lib/project.ts'
import { Problem } from '../problem.ts'

const RETRY_S = 2

/** Runs one hash at a time, in order of arrival, so that a flood of logins occupies only one core. */
export class HashQueue {
  readonly #ofAddress: number
  /** The address of each waiting hash, in order of arrival. */
  readonly #waiting: string[] = []
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  /** @param ofAddress - The most hashes that may wait for one address. */
  constructor(ofAddress: number = HASH_QUEUE.ofAddress) {
    this.#ofAddress = ofAddress
  }

  /**
   * @param address - The key from `addressKey`.
   * @throws {Problem} unavailable when the queue is full or closed
   */
  async run<Result>(address: string, hash: () => Promise<Result>): Promise<Result> {
    const own = this.#waiting.filter(other => other === address)
    if (this.#waiting.length >= HASH_QUEUE.ofAll || own.length >= this.#ofAddress)
      throw new Problem('unavailable', { retryAfter: RETRY_S, isUnlogged: true })
    this.#waiting.push(address)
    const result = this.#last.then(() => {
      this.#waiting.shift()
      if (this.#isClosed) throw new Problem('unavailable', { retryAfter: 1 })
      return hash()
    })
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Refuses all hashes that have not begun. */
  close(): void {
    this.#isClosed = true
  }
}

/** bcrypt's cost; a hash takes about 45 ms of processor time. */
const COST = 10

const COMMON = new Set(readList('common-passwords'))

/** The game's name, possibly repeated, with digits and signs around it. */
const OWN_WORD = /^[^\p{L}]*(?:taps[^\p{L}]*)+$/u

/** @throws {Problem} weak_password; the title says what is wrong */
export function checkPassword(password: string, username: string): void {
  const length = Array.from(password).length
  if (length < PASSWORD_MIN_LENGTH) refuse(`A password needs at least ${PASSWORD_MIN_LENGTH} characters`)
  if (length > PASSWORD_MAX_LENGTH) refuse(`A password has at most ${PASSWORD_MAX_LENGTH} characters`)
  const plain = password.normalize('NFKC').toLowerCase().normalize('NFKC').trim()
  // A text above a name's length limit is slow to compare.
  const mayBeName = plain.length <= NAME_MAX_LENGTH
  if (mayBeName && nameKey(password) === nameKey(username))
    refuse('The password must differ from the username')
  if (COMMON.has(plain)) refuse('This password is one of the most common ones; please choose another')
  if (OWN_WORD.test(plain)) refuse('The password must not be the name of the game')
}

export class PasswordHasher {
  readonly #readKey: () => Promise<Buffer>
  #key: Buffer | undefined
  readonly #cost: number
  readonly #queue: HashQueue

  /**
   * @param readKey - Reads the key that the database keeps; called at the first password.
   * @param ofAddress - The most hashes that may wait for one address.
   */
  constructor(readKey: () => Promise<Buffer>, ofAddress?: number, cost = COST) {
    this.#readKey = readKey
    this.#cost = cost
    this.#queue = new HashQueue(ofAddress)
  }

  /**
   * @param address - The key from `addressKey`.
   * @throws {Problem} unavailable when too many hashes wait
   */
  async hash(address: string, password: string): Promise<string> {
    const prepared = await this.#prepare(password)
    return this.#queue.run(address, () => hash(prepared, this.#cost))
  }

  /** Like `hash`. */
  async matches(address: string, password: string, passwordHash: string): Promise<boolean> {
    const prepared = await this.#prepare(password)
    return this.#queue.run(address, () => compare(prepared, passwordHash))
  }

  close(): void {
    this.#queue.close()
  }

  /** Reduces a password to 64 characters, because bcrypt ignores everything after 72 bytes or after a NUL. */
  async #prepare(password: string): Promise<string> {
    this.#key ??= await this.#readKey()
    return createHmac('sha384', this.#key).update(password.normalize('NFKC')).digest('base64')
  }
}

function refuse(title: string): never {
  throw new Problem('weak_password', { title })
}
