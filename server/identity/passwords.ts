import { createHmac } from 'node:crypto'
import { nameKey } from '../../contract/name.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../contract/rules.ts'
import { readList } from '../lib/lists.ts'
import { Problem } from '../problem.ts'
import { Hasher } from './hasher.ts'

/** One hash at a time, off the main thread: on two cores a flood of logins leaves the other one to play. */
const AT_ONCE = 1
/** Beyond this many waiting (about 2 s of work) a login is told to come back. */
const MAX_WAITING = 40

/** In lower case: what everybody tries first, however it is written. */
const COMMON = new Set(readList('common-passwords'))

/** The word of the product, once or several times, whatever digits and signs stand around it. */
const OWN_WORD = /^[^\p{L}]*(?:taps[^\p{L}]*)+$/u

/** @throws Problem `weak_password` with what is wrong */
export function checkPassword(password: string, username: string): void {
  const length = Array.from(password).length
  if (length < PASSWORD_MIN_LENGTH) refuse(`A password needs at least ${PASSWORD_MIN_LENGTH} characters`)
  if (length > PASSWORD_MAX_LENGTH) refuse(`A password has at most ${PASSWORD_MAX_LENGTH} characters`)
  const plain = password.normalize('NFKC').toLowerCase().normalize('NFKC').trim()
  if (nameKey(password) === nameKey(username)) refuse('The password must differ from the username')
  if (COMMON.has(plain)) refuse('This password is one of the most common ones; please choose another')
  if (OWN_WORD.test(plain)) refuse('The password must not be the name of the game')
}

/** Hashes and compares passwords in a bounded queue. */
export class Passwords {
  readonly #pepper: Buffer
  readonly #hasher = new Hasher()
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(pepper: Buffer) {
    this.#pepper = pepper
  }

  /** @throws Problem `unavailable` when too many wait */
  hash(password: string): Promise<string> {
    return this.#queued(() => this.#hasher.hash(this.#prepare(password)))
  }

  /** @throws Problem `unavailable` when too many wait */
  matches(password: string, passwordHash: string): Promise<boolean> {
    return this.#queued(() => this.#hasher.matches(this.#prepare(password), passwordHash))
  }

  /** Ends the thread that hashes. */
  close(): Promise<void> {
    return this.#hasher.close()
  }

  /** bcrypt silently cuts at 72 bytes and at NUL; 64 characters of base64 carry any password whole. */
  #prepare(password: string): string {
    return createHmac('sha384', this.#pepper).update(password.normalize('NFKC')).digest('base64')
  }

  async #queued<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.length >= MAX_WAITING) throw new Problem('unavailable', { retryAfter: 2 })
    if (this.#running >= AT_ONCE) await new Promise<void>(resolve => this.#waiting.push(resolve))
    else this.#running += 1
    try {
      return await work()
    } finally {
      // The place goes straight to the next in line, so that nobody can slip in between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}

function refuse(title: string): never {
  throw new Problem('weak_password', { title })
}
