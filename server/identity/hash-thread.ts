// The thread that hashes passwords, one at a time, at a lower priority than the thread that serves the game.

import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { compareSync, hashSync } from 'bcrypt'

/** The thread's `workerData`. */
export interface HashSettings {
  /** bcrypt's. */
  readonly cost: number
}

/** Asks to compare a text with a hash; without a hash, to make one. */
export interface HashRequest {
  readonly text: string
  readonly hash: string | null
}

/** The hash that was made, or whether the text belongs to the hash. */
export type HashResult = string | boolean

/** While all cores are busy this leaves the thread a tenth of one: a login then takes half a second. Linux only. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  const { PRIORITY_BELOW_NORMAL } = constants.priority
  // A server started by `nice` at a lower priority still may not raise it.
  if (getPriority(thread) < PRIORITY_BELOW_NORMAL) setPriority(thread, PRIORITY_BELOW_NORMAL)
}

const { cost }: HashSettings = workerData

lowerPriority()
parentPort?.on('message', ({ text, hash }: HashRequest) => {
  const result: HashResult = hash === null ? hashSync(text, cost) : compareSync(text, hash)
  parentPort?.postMessage(result)
})
