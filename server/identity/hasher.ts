import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ROOT } from '../lib/root.ts'
import { Problem } from '../problem.ts'
import type { HashJob, HashResult } from './hash-thread.ts'

/** The sources, which run as TypeScript, use what was built of it as well. */
const PROGRAM = new URL('dist/server/hash-thread.js', ROOT)

/**
 * Hashes by bcrypt in a thread of its own, one at a time: the caller sees to that. A core is busy with each for 45 ms,
 * so the thread stands back behind those that play (`npm run bench:logins`).
 */
export class Hasher {
  #thread: Worker | undefined

  /** @throws Problem `unavailable` when the thread has ended; the next one finds a new one */
  async hash(text: string): Promise<string> {
    return String(await this.#do({ text, hash: null }))
  }

  /** @throws Problem `unavailable` as `hash` does */
  async matches(text: string, hash: string): Promise<boolean> {
    return (await this.#do({ text, hash })) === true
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  async #do(job: HashJob): Promise<HashResult> {
    this.#thread ??= this.#start()
    const over = new AbortController()
    const thread = this.#thread
    const end = once(thread, 'exit', over).then(() => {
      throw new Problem('unavailable', { retryAfter: 1 })
    })
    thread.postMessage(job)
    try {
      const [result] = await Promise.race([once(thread, 'message', over), end])
      return result
    } finally {
      over.abort()
      end.catch(() => undefined)
    }
  }

  #start(): Worker {
    const thread = new Worker(PROGRAM)
    // Whoever waits for a hash has a connection open; an idle thread keeps nobody from ending.
    thread.unref()
    thread.on('error', () => undefined)
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
    })
    return thread
  }
}
