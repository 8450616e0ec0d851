import { LIVE_PARTS, LIVE_PING, type LiveBodies, type LivePart } from '../../contract/live.ts'
import { type Call, isAnswer, isPing } from '../net/answers.ts'
import { noteServerTime } from '../net/server-clock.ts'

/**
 * The silence after which a stream is dead: the interval of pings, plus 12 s for a proxy that delivers late.
 * The random part spreads the new streams of all pages behind one proxy.
 */
export const SILENT_AFTER_MS = 35_000
const SPREAD_MS = 10_000

/** The endpoint with the same body as each event. */
export const BOARDS = {
  prize_pool: 'GET /api/prize-pool',
  leaderboard: 'GET /api/leaderboard',
  attempts: 'GET /api/attempts',
} as const satisfies Record<LivePart, Call>

interface Listener {
  /** Receives the part that an event brought, or nothing for a ping. */
  readonly onEvent: (parts: Partial<LiveBodies>) => void
  /** Called once, after the stream has failed, ended or fallen silent. */
  readonly onDead: (why: 'failed' | 'silent') => void
}

/**
 * Opens a live stream. Only events of the game are signs of life, because a proxy may send anything.
 *
 * @returns a function that closes the stream
 */
export function openStream(url: string, { onEvent, onDead }: Listener): () => void {
  const source = new EventSource(url)
  let silence = waitForSilence()

  function waitForSilence() {
    return setTimeout(() => die('silent'), SILENT_AFTER_MS + Math.random() * SPREAD_MS)
  }

  function close(): void {
    clearTimeout(silence)
    source.close()
  }

  /** Closes a failed stream, because browsers would reconnect without jitter. */
  function die(why: 'failed' | 'silent'): void {
    close()
    onDead(why)
  }

  function take(parts: Partial<LiveBodies>): void {
    clearTimeout(silence)
    silence = waitForSilence()
    onEvent(parts)
  }

  for (const part of LIVE_PARTS) {
    source.addEventListener(part, ({ data }: MessageEvent<string>) => {
      const body = parse(data)
      if (isAnswer(BOARDS[part], body)) take({ [part]: body } as Partial<LiveBodies>)
    })
  }
  source.addEventListener(LIVE_PING, ({ data }: MessageEvent<string>) => {
    const ping = parse(data)
    if (!isPing(ping)) return
    noteServerTime(ping.now)
    take({})
  })
  source.addEventListener('error', () => die('failed'))
  return close
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
