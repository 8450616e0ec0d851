import { createHmac } from 'node:crypto'
import { compare, hash } from 'bcrypt'
import { HashQueue } from '../limits/hash-queue.ts'

/** bcrypt's cost; a hash takes about 45 ms of processor time. */
const COST = 10

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
