import type { Attempt } from '../../contract/api.ts'
import { LIVE_PARTS } from '../../contract/live.ts'
import type { Store } from '../lib/store.ts'
import { get } from '../net/api.ts'
import { type LiveState, type LiveStatus, statusWithoutStream, update } from './live-state.ts'
import { BOARDS } from './live-stream.ts'

/** The polling interval while no stream delivers. */
export const POLL_EVERY_MS = 5_000

export type Reader = ReturnType<typeof createReader>

/** Reads the boards, as long as no stream delivers. */
export function createReader(state: Store<LiveState>) {
  let polling: ReturnType<typeof setInterval> | undefined

  /**
   * Reads the boards. Drops the answers when other boards have arrived since, which may be newer.
   *
   * @param status - The status once all boards have been read; if missing, reads do not change the status.
   */
  async function read(status?: LiveStatus): Promise<void> {
    const { parts } = state.get()
    const answers = await Promise.all(LIVE_PARTS.map(part => get(BOARDS[part])))
    if (state.get().parts !== parts) return
    const found = answers.map((answer, index) => (answer.ok ? [[LIVE_PARTS[index], answer.body]] : []))
    // A node of 1.2.0 knows no list of today.
    const isRead = answers.every(({ ok }, index) => ok || LIVE_PARTS[index] === 'today')
    const reached = isRead ? status : status && statusWithoutStream()
    update(state, reached ?? state.get().status, Object.fromEntries(found.flat()))
  }

  return {
    read,
    /** Reads the boards unless they have the attempt. */
    readFor({ id }: Pick<Attempt, 'id'>): void {
      const feed = state.get().parts.attempts?.attempts ?? []
      if (!document.hidden && !feed.some(attempt => attempt.id >= id)) void read()
    },
    start(): void {
      polling ??= setInterval(read, POLL_EVERY_MS)
    },
    stop(): void {
      clearInterval(polling)
      polling = undefined
    },
  }
}
