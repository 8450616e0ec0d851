import { LIVE_PARTS, LIVE_PING, type LiveBodies, type LivePart } from '../../contract/live.ts'
import { isAnswer, isPing } from '../net/answers.ts'
import { parseJson } from '../net/api.ts'
import { noteServerTime } from '../net/server-clock.ts'

/**
 * The silence after which a stream is dead: the interval of pings, plus 12 s for a proxy that delivers late.
 * The random part spreads the new streams of all pages behind one proxy.
 */
export const SILENT_AFTER_MS = 35_000
const SPREAD_MS = 10_000

/** The URL of the endpoint with the same body as each event. */
export const BOARDS = {
  prize_pool: '/api/prize-pool',
  leaderboard: '/api/leaderboard',
  attempts: '/api/attempts',
} as const satisfies Record<LivePart, string>

interface Listener {
  /** Receives the part that an event brought, or nothing for a ping. */
  readonly onEvent: (parts?: Partial<LiveBodies>) => void
  /** Called once, after the stream has failed, ended or fallen silent. */
  readonly onDead: () => void
}

/**
 * Opens a live stream. Only events of the game are signs of life, because a proxy may send anything.
 *
 * @returns a function that closes the stream
 */
export function openStream(url: string, { onEvent, onDead }: Listener): () => void {
  const source = new EventSource(url)
  let silence: ReturnType<typeof setTimeout> | undefined

  function waitForSilence(): void {
    clearTimeout(silence)
    silence = setTimeout(die, SILENT_AFTER_MS + Math.random() * SPREAD_MS)
  }

  function close(): void {
    clearTimeout(silence)
    source.close()
  }

  /** Closes a failed stream, because browsers would reconnect without jitter. */
  function die(): void {
    close()
    onDead()
  }

  for (const part of LIVE_PARTS) {
    source.addEventListener(part, ({ data }: MessageEvent<string>) => {
      const body = parseJson(data)
      if (!isAnswer(`GET ${BOARDS[part]}`, body)) return
      waitForSilence()
      onEvent({ [part]: body })
    })
  }
  source.addEventListener(LIVE_PING, ({ data }: MessageEvent<string>) => {
    const ping = parseJson(data)
    if (!isPing(ping)) return
    noteServerTime(ping.now)
    waitForSilence()
    onEvent()
  })
  source.addEventListener('error', die)
  waitForSilence()
  return close
}
