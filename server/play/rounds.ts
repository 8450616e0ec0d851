import { createHmac } from 'node:crypto'
import type { Round, Start } from '../../contract/api.ts'
import { TARGET_COUNT, TARGET_MIN_MS, TARGET_STEP_MS } from '../../contract/rules.ts'
import { toSeconds } from '../../contract/time.ts'
import type { Database } from '../database/connection.ts'
import { batched } from '../lib/batch.ts'
import type { Keys } from '../lib/derived-keys.ts'
import { TokenSigner } from '../lib/token-signer.ts'
import { hadAccount, type LastAttempt, type PlayerId } from '../people/player.ts'
import { Problem } from '../problem.ts'

/** A player's round. Round n becomes the player's nth attempt. */
export interface CurrentRound {
  readonly playerId: PlayerId
  readonly number: number
  readonly targetMs: number
}

export interface StartedRound extends CurrentRound {
  /** The database's time at Start, ms since the epoch. */
  readonly startedAt: number
  /** The checked name that came with Start, or null. */
  readonly username: string | null
}

/**
 * Issues and reads rounds. A round in progress exists only as signed tokens, without a row in the database.
 */
export class Rounds {
  readonly #issued: TokenSigner
  readonly #started: TokenSigner
  readonly #targetKey: Buffer

  constructor({ tokens, targets }: Keys) {
    this.#issued = new TokenSigner(tokens, 'round')
    this.#started = new TokenSigner(tokens, 'start')
    this.#targetKey = targets
  }

  /** Computes the next round from the last attempt, so that reloading cannot change the target. */
  next(playerId: PlayerId, last: LastAttempt): CurrentRound {
    return { playerId, number: last.round + 1, targetMs: this.#target(playerId, last.id) }
  }

  issue(round: CurrentRound): Round {
    return { token: this.#issued.sign(write(round)), target_time: toSeconds(round.targetMs) }
  }

  issueNext(playerId: PlayerId, last: LastAttempt): Round {
    return this.issue(this.next(playerId, last))
  }

  /** Signs a round with the database's time at Start. */
  start(round: CurrentRound, now: number, username: string | null = null): Start {
    const name = Buffer.from(username ?? '').toString('base64url')
    const start = this.#started.sign(`${write(round)}.${now}.${name}`)
    return { start, target_time: toSeconds(round.targetMs) }
  }

  /** @throws {Problem} bad_token */
  readRound(token: string): CurrentRound {
    const text = this.#issued.verify(token)
    if (text === null) throw new Problem('bad_token')
    return read(text)
  }

  /** @throws {Problem} bad_token */
  readStart(token: string): StartedRound {
    const text = this.#started.verify(token)
    if (text === null) throw new Problem('bad_token')
    const [, , , startedAt, name = ''] = text.split('.')
    const username = Buffer.from(name, 'base64url').toString() || null
    return { ...read(text), startedAt: Number(startedAt), username }
  }

  /** Computes a target from 64 uniform bits; the bias is negligible. */
  #target(playerId: PlayerId, lastAttemptId: number): number {
    const hash = createHmac('sha256', this.#targetKey).update(`${playerId} ${lastAttemptId}`).digest()
    return TARGET_MIN_MS + Number(hash.readBigUInt64BE() % BigInt(TARGET_COUNT)) * TARGET_STEP_MS
  }
}

function write({ playerId, number, targetMs }: CurrentRound): string {
  return `${playerId}.${number}.${targetMs}`
}

function read(text: string): CurrentRound {
  const [playerId = '', number, targetMs] = text.split('.')
  return { playerId, number: Number(number), targetMs: Number(targetMs) }
}

/**
 * Creates a function that returns the database's time, or null unless the round follows the guest's last
 * attempt and the guest never had an account. Each call joins a read that starts later, so the time is never
 * before the call.
 */
export function createStartTimeRead(database: Database): (round: CurrentRound) => Promise<Date | null> {
  return batched(rounds => readTimes(database, rounds), { size: 500, waiting: 20_000 })
}

async function readTimes(database: Database, rounds: CurrentRound[]): Promise<(Date | null)[]> {
  const { rows } = await database.query<{ now: Date; others: number[] }>({
    name: 'start_time',
    text: `
      select now(), array(
        select place::integer
        from unnest($1::uuid[], $2::integer[]) with ordinality as asked (player, round, place)
        where round <> 1 + coalesce(
            (select attempts.round from attempts where attempts.player = asked.player order by attempts.round desc limit 1),
            0
          )
          or ${hadAccount('asked.player')}
      ) as others`,
    values: [rounds.map(({ playerId }) => playerId), rounds.map(({ number }) => number)],
  })
  const [{ now = null, others = [] } = {}] = rows
  const notCurrent = new Set(others.map(place => place - 1))
  return rounds.map((_, place) => (notCurrent.has(place) ? null : now))
}
