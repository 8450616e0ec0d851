import { createHmac } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { nameKey } from '../../contract/name.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../contract/rules.ts'
import { readList } from '../lib/lists.ts'
import { ROOT } from '../lib/root.ts'
import { Problem } from '../problem.ts'
import type { HashQuestion, HashResult } from './hash-thread.ts'

/** The sources, which run as TypeScript, use what was built of it as well. */
const PROGRAM = new URL('dist/server/hash-thread.js', ROOT)
/**
 * Beyond this many waiting (about 2 s of work) a login is refused with `unavailable`. One is hashed at a time, off the main
 * thread: on two cores a flood of logins leaves the other one to play (`npm run bench:logins`).
 */
const MAX_WAITING = 40

/** The passwords that are guessed first, in lower case. */
const COMMON = new Set(readList('common-passwords'))

/** The name of the game, once or several times, with any digits and signs around it. */
const OWN_WORD = /^[^\p{L}]*(?:taps[^\p{L}]*)+$/u

interface Job {
  readonly resolve: (result: HashResult) => void
  readonly reject: (reason: Problem) => void
}

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

/** Hashes and compares passwords, one after the other, in a thread of lower priority than the game. */
export class Passwords {
  readonly #pepper: Buffer
  /** In the order in which the thread has got them. */
  readonly #jobs: Job[] = []
  #thread: Worker | undefined

  constructor(pepper: Buffer) {
    this.#pepper = pepper
  }

  /** @throws Problem `unavailable` when too many wait, or when the thread has ended; the next call starts another */
  async hash(password: string): Promise<string> {
    return String(await this.#ask(password, null))
  }

  /** @throws Problem `unavailable` as `hash` does */
  async matches(password: string, passwordHash: string): Promise<boolean> {
    return (await this.#ask(password, passwordHash)) === true
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  #ask(password: string, hash: string | null): Promise<HashResult> {
    if (this.#jobs.length > MAX_WAITING) return Promise.reject(new Problem('unavailable', { retryAfter: 2 }))
    this.#thread ??= this.#start()
    const question: HashQuestion = { text: this.#prepare(password), hash }
    this.#thread.postMessage(question)
    return new Promise((resolve, reject) => this.#jobs.push({ resolve, reject }))
  }

  /** bcrypt silently cuts at 72 bytes and at NUL; 64 characters of base64 carry any password whole. */
  #prepare(password: string): string {
    return createHmac('sha384', this.#pepper).update(password.normalize('NFKC')).digest('base64')
  }

  #start(): Worker {
    const thread = new Worker(PROGRAM)
    thread.on('message', (result: HashResult) => this.#jobs.shift()?.resolve(result))
    thread.on('error', () => undefined)
    thread.on('exit', () => {
      this.#thread = undefined
      for (const { reject } of this.#jobs.splice(0)) reject(new Problem('unavailable', { retryAfter: 1 }))
    })
    // A call that waits for a hash has a connection open; an idle thread does not keep the process alive. Said last,
    // because to listen for messages takes it back.
    thread.unref()
    return thread
  }
}

function refuse(title: string): never {
  throw new Problem('weak_password', { title })
}
