// The thread that hashes passwords. Whoever plays comes first.

import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { compareSync, hashSync } from 'bcrypt'

/** bcrypt's cost: spec section 9. One hash takes about 45 ms of a core. */
const COST = 10

/** What the thread is asked: to make a hash, or to compare with one. */
export interface HashJob {
  readonly text: string
  readonly hash: string | null
}

/** A hash that was made, or whether the text is the one of the hash. */
export type HashResult = string | boolean

/**
 * A tenth of a core is left to it where all are busy: a login then takes half a second, and none starves. Only Linux
 * has priorities of threads; elsewhere all are alike.
 */
function stepBack(): void {
  if (process.platform !== 'linux') return
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
}

stepBack()
parentPort?.on('message', ({ text, hash }: HashJob) => {
  const result: HashResult = hash === null ? hashSync(text, COST) : compareSync(text, hash)
  parentPort?.postMessage(result)
})
