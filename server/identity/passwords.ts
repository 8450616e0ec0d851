import { createHmac } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { LimitName } from '../../contract/limits.ts'
import { nameKey } from '../../contract/name.ts'
import { NAME_MAX_LENGTH, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../contract/rules.ts'
import { BUILT } from '../lib/root.ts'
import { FairQueue } from '../limits/fair-queue.ts'
import type { Limiter } from '../limits/limiter.ts'
import { Problem } from '../problem.ts'
import type { HashRequest, HashResult, HashSettings } from './hash-thread.ts'
import { readList } from './lists.ts'

/** The built thread, which the sources use as well. */
const PROGRAM = new URL('server/hash-thread.js', BUILT)
/** Retry-After when the queue (`HASH_QUEUE`) is full, which takes seconds to drain. */
const RETRY_S = 2

/** bcrypt's cost: spec section 9. One hash takes about 45 ms of a core. */
const COST = 10

/** The passwords that guessers try first, in lower case. */
const COMMON = new Set(readList('common-passwords'))

/** The game's name, once or repeated, with any digits and signs around it. */
const OWN_WORD = /^[^\p{L}]*(?:taps[^\p{L}]*)+$/u

/** On whose behalf a password is hashed. */
export interface HashClient {
  /** Of `addressKey`. */
  readonly address: string
  /** Any key that identifies the account. */
  readonly account: string
  /** A hash for a new account counts as a sign-up. */
  readonly isNew?: boolean
}

/** Hashes and compares passwords on behalf of one client. */
export interface Passwords {
  /**
   * @throws Problem `too_many_requests` when the address has used up its hashes; `unavailable` when the queue is full or the
   *   thread has ended (the next call starts another)
   */
  hash(password: string): Promise<string>
  /** @throws Problem as `hash` does */
  matches(password: string, passwordHash: string): Promise<boolean>
}

interface Job {
  readonly request: HashRequest
  readonly resolve: (result: HashResult) => void
  readonly reject: (reason: Problem) => void
  /** Undoes what was charged for it. */
  readonly refund: () => void
}

/** @throws Problem `weak_password` with what is wrong */
export function checkPassword(password: string, username: string): void {
  const length = Array.from(password).length
  if (length < PASSWORD_MIN_LENGTH) refuse(`A password needs at least ${PASSWORD_MIN_LENGTH} characters`)
  if (length > PASSWORD_MAX_LENGTH) refuse(`A password has at most ${PASSWORD_MAX_LENGTH} characters`)
  const plain = password.normalize('NFKC').toLowerCase().normalize('NFKC').trim()
  // What is longer is nobody's name, and would take 10 ms to compare.
  const mayBeName = plain.length <= NAME_MAX_LENGTH
  if (mayBeName && nameKey(password) === nameKey(username))
    refuse('The password must differ from the username')
  if (COMMON.has(plain)) refuse('This password is one of the most common ones; please choose another')
  if (OWN_WORD.test(plain)) refuse('The password must not be the name of the game')
}

/**
 * Hashes and compares passwords, one at a time, in a thread of lower priority than the game: on two cores a flood of logins
 * leaves one to play. Limits are charged for each hash, not for each call.
 */
export class PasswordHasher {
  readonly #pepper: Buffer
  readonly #limits: Limiter
  readonly #queue: FairQueue<Job>
  readonly #settings: HashSettings
  #working: Job | undefined
  #thread: Worker | undefined

  /** @param cost bcrypt's; tests use a cheaper one */
  constructor(pepper: Buffer, limits: Limiter, cost = COST) {
    this.#pepper = pepper
    this.#limits = limits
    this.#settings = { cost }
    this.#queue = new FairQueue(limits.on)
  }

  for(client: HashClient): Passwords {
    return {
      hash: async password => String(await this.#ask(client, password, null)),
      matches: async (password, passwordHash) => (await this.#ask(client, password, passwordHash)) === true,
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  async #ask(
    { address, account, isNew }: HashClient,
    password: string,
    hash: string | null,
  ): Promise<HashResult> {
    const charged: LimitName[] = isNew && hash === null ? ['hashes', 'signUps'] : ['hashes']
    const refund = this.#limits.takeAll(charged.map(name => [name, address]))
    const request: HashRequest = { text: this.#prepare(password), hash }
    return new Promise((resolve, reject) => {
      const refused = this.#queue.add(address, account, { request, resolve, reject, refund })
      refused?.refund()
      refused?.reject(new Problem('unavailable', { retryAfter: RETRY_S, isFull: true }))
      this.#work()
    })
  }

  /** bcrypt ignores what follows 72 bytes or a NUL; as 64 characters of base64 every password counts in full. */
  #prepare(password: string): string {
    return createHmac('sha384', this.#pepper).update(password.normalize('NFKC')).digest('base64')
  }

  /** Gives the thread the next job, unless it is busy. */
  #work(): void {
    if (this.#working) return
    this.#working = this.#queue.next()
    if (!this.#working) return
    this.#thread ??= this.#start()
    this.#thread.postMessage(this.#working.request)
  }

  #start(): Worker {
    const thread = new Worker(PROGRAM, { workerData: this.#settings })
    thread.on('message', (result: HashResult) => {
      this.#working?.resolve(result)
      this.#working = undefined
      this.#work()
    })
    let cause: unknown
    thread.on('error', error => {
      cause = error
    })
    thread.on('exit', () => {
      this.#thread = undefined
      for (let job = this.#working; job; job = this.#queue.next()) {
        job.reject(new Problem('unavailable', { retryAfter: 1, cause }))
      }
      this.#working = undefined
    })
    // An idle thread must not keep the process alive. Last, because listening for messages would undo it.
    thread.unref()
    return thread
  }
}

function refuse(title: string): never {
  throw new Problem('weak_password', { title })
}
