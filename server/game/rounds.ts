import { createHmac } from 'node:crypto'
import type { Round, Start } from '../../contract/api.ts'
import { TARGET_COUNT, TARGET_MIN_MS, TARGET_STEP_MS } from '../../contract/rules.ts'
import { toSeconds } from '../../contract/time.ts'
import {
  type LastAttempt,
  PLAYER_BYTES,
  type PlayerId,
  playerFromBytes,
  playerToBytes,
} from '../identity/player.ts'
import type { Keys } from '../lib/keys.ts'
import { TokenSigner } from '../lib/token.ts'
import { Problem } from '../problem.ts'

/** A round a player may play: number n is the one that their attempt n will record. */
export interface RoundInHand {
  readonly player: PlayerId
  readonly number: number
  readonly targetMs: number
}

/** A round whose Start the server has stamped. */
export interface StartedRound extends RoundInHand {
  /** Wall clock of the node that stamped it, ms since the epoch; nodes are synchronised. */
  readonly startedAt: number
  /** The name that came with Start, checked then; null when none did. */
  readonly username: string | null
}

const ROUND_BYTES = PLAYER_BYTES + 4 + 2
const START_BYTES = ROUND_BYTES + 8

/** Issues and reads the rounds of players. No row is kept for a round in progress: the tokens are the state. */
export class Rounds {
  readonly #issued: TokenSigner<RoundInHand>
  readonly #started: TokenSigner<StartedRound>
  readonly #targetKey: Buffer

  constructor({ tokens, targets }: Keys) {
    this.#issued = new TokenSigner(tokens, 'round', { encode, decode })
    this.#started = new TokenSigner(tokens, 'start', { encode: encodeStarted, decode: decodeStarted })
    this.#targetKey = targets
  }

  /**
   * The player's next round: a pure function of secret, player and last attempt, so that no reload and no
   * thousandth request gives another target.
   */
  next(player: PlayerId, last: LastAttempt): RoundInHand {
    return { player, number: last.round + 1, targetMs: this.#target(player, last.id) }
  }

  /** The form in which the page gets a round. */
  issue(round: RoundInHand): Round {
    return { token: this.#issued.sign(round), target_time: toSeconds(round.targetMs) }
  }

  /**
   * Stamps a round with the time of its Start.
   *
   * @param username a name that was checked, when one came with Start
   */
  start(round: RoundInHand, now: number, username: string | null = null): Start {
    const text = this.#started.sign({ ...round, startedAt: now, username })
    return { start: text, target_time: toSeconds(round.targetMs) }
  }

  /** @throws Problem `bad_token` for a text that this server did not issue as a round */
  readRound(token: string): RoundInHand {
    const round = this.#issued.verify(token)
    if (!round) throw new Problem('bad_token')
    return round
  }

  /** @throws Problem `bad_token` for a text that this server did not issue as a start */
  readStart(token: string): StartedRound {
    const round = this.#started.verify(token)
    if (!round) throw new Problem('bad_token')
    return round
  }

  /** 64 uniform bits modulo 401: the bias is below 1 in 10^16. */
  #target(player: PlayerId, lastAttemptId: number): number {
    const hash = createHmac('sha256', this.#targetKey).update(`${player} ${lastAttemptId}`).digest()
    return TARGET_MIN_MS + Number(hash.readBigUInt64BE() % BigInt(TARGET_COUNT)) * TARGET_STEP_MS
  }
}

function encode({ player, number, targetMs }: RoundInHand): Buffer {
  const bytes = Buffer.alloc(ROUND_BYTES)
  playerToBytes(player).copy(bytes)
  bytes.writeUInt32BE(number, PLAYER_BYTES)
  bytes.writeUInt16BE(targetMs, PLAYER_BYTES + 4)
  return bytes
}

function decode(bytes: Buffer): RoundInHand | null {
  if (bytes.length !== ROUND_BYTES) return null
  return {
    player: playerFromBytes(bytes.subarray(0, PLAYER_BYTES)),
    number: bytes.readUInt32BE(PLAYER_BYTES),
    targetMs: bytes.readUInt16BE(PLAYER_BYTES + 4),
  }
}

/** No name is empty, so that nothing stands for none. */
function encodeStarted(round: StartedRound): Buffer {
  const startedAt = Buffer.alloc(START_BYTES - ROUND_BYTES)
  startedAt.writeBigUInt64BE(BigInt(round.startedAt))
  return Buffer.concat([encode(round), startedAt, Buffer.from(round.username ?? '')])
}

function decodeStarted(bytes: Buffer): StartedRound | null {
  const round = decode(bytes.subarray(0, ROUND_BYTES))
  if (!round || bytes.length < START_BYTES) return null
  return {
    ...round,
    startedAt: Number(bytes.readBigUInt64BE(ROUND_BYTES)),
    username: bytes.toString('utf8', START_BYTES) || null,
  }
}
