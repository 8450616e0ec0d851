import type { Database } from '../database/pool.ts'
import type { Keys } from '../lib/keys.ts'
import type { Logger } from '../log.ts'
import type { RefusedNameCheck } from '../people/refused-words.ts'
import type { Env } from '../settings.mjs'
import { createClaim } from './claims.ts'
import { createStartTimeRead } from './current-rounds.ts'
import { startHoldExpiry } from './hold-expiry.ts'
import { Recorder } from './recorder.ts'
import { Rounds } from './rounds.ts'

interface Deps {
  readonly env: Pick<Env, 'clockToleranceMs' | 'prizeHoldMinutes'>
  readonly keys: Keys
  readonly database: Database
  readonly poller: { requestPoll(): void }
  readonly isRefusedName: RefusedNameCheck
  readonly log: Logger
}

export type Play = ReturnType<typeof openPlay>

export function openPlay({ env, keys, database, poller, isRefusedName, log }: Deps) {
  const recorder = new Recorder(database, env)
  recorder.on('recorded', () => poller.requestPoll())
  let stopHoldExpiry = () => Promise.resolve()
  return {
    claim: createClaim(database),
    isRefusedName,
    poller,
    readStartTime: createStartTimeRead(database),
    recorder,
    rounds: new Rounds(keys),
    begin(): void {
      stopHoldExpiry = startHoldExpiry(database, env.prizeHoldMinutes, log, () => poller.requestPoll())
    },
    close: () => stopHoldExpiry(),
  }
}
