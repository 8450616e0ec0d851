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

/** The silence after the answer to the own attempt that shows a stream to be dead. */
export const OWN_SILENCE_MS = 5_000

/** The URL of the endpoint with the same body as each event. */
export const BOARDS = {
  prize_pool: '/api/prize-pool',
  leaderboard: '/api/leaderboard',
  attempts: '/api/attempts',
  today: '/api/today',
} as const satisfies Record<LivePart, string>

interface Listener {
  /** Receives the part that an event brought, or nothing for a ping. */
  readonly onEvent: (parts?: Partial<LiveBodies>) => void
  /** Called once, after the stream has failed, ended or fallen silent. */
  readonly onDead: () => void
}

export interface Stream {
  close(): void
  /** Notes that the page is about to send an attempt, which an event will follow. */
  sending(): void
  /** Notes the answer to the attempt. The stream is dead if no event has followed the attempt some time later. */
  recorded(): void
}

/** Opens a live stream. */
export function openStream(url: string, { onEvent, onDead }: Listener): Stream {
  const source = new EventSource(url)
  let silence: ReturnType<typeof setTimeout> | undefined
  /** The oldest attempt that no event has followed, or null. */
  let unheard: object | null = null

  function waitForSilence(): void {
    clearTimeout(silence)
    silence = setTimeout(die, SILENT_AFTER_MS + Math.random() * SPREAD_MS)
  }

  function close(): void {
    clearTimeout(silence)
    unheard = null
    source.close()
  }

  /** Closes a failed stream, because browsers would reconnect without jitter. */
  function die(): void {
    close()
    onDead()
  }

  function recorded(): void {
    const awaited = unheard
    if (awaited === null) return
    setTimeout(() => {
      if (unheard === awaited) die()
    }, OWN_SILENCE_MS)
  }

  function sending(): void {
    unheard ??= {}
  }

  listen(source, parts => {
    unheard = null
    waitForSilence()
    onEvent(parts)
  })
  source.addEventListener('error', die)
  waitForSilence()
  return { close, sending, recorded }
}

/** Passes on the events of the game. No others are signs of life, because a proxy may send anything. */
function listen(source: EventSource, onEvent: Listener['onEvent']): void {
  for (const part of LIVE_PARTS) {
    source.addEventListener(part, ({ data }: MessageEvent<string>) => {
      const body = parseJson(data)
      if (isAnswer(`GET ${BOARDS[part]}`, body)) onEvent({ [part]: body })
    })
  }
  source.addEventListener(LIVE_PING, ({ data }: MessageEvent<string>) => {
    const ping = parseJson(data)
    if (!isPing(ping)) return
    noteServerTime(ping.now)
    onEvent()
  })
}
