import type { Attempt } from '../../contract/api.ts'
import { LIVE_PARTS, type LivePart } from '../../contract/live.ts'
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
   * Reads parts of the boards. Drops the answers when other parts have arrived since, which may be newer.
   *
   * @returns the status that the answers show for a page without a stream
   */
  async function read(wanted: readonly LivePart[]): Promise<LiveStatus> {
    const { parts } = state.get()
    const answers = await Promise.all(wanted.map(part => get(BOARDS[part])))
    const found = answers.map((answer, index) => (answer.ok ? [[wanted[index], answer.body]] : []))
    if (state.get().parts === parts) update(state, state.get().status, Object.fromEntries(found.flat()))
    return answers.every(({ ok }) => ok) ? 'live' : statusWithoutStream()
  }

  const readAll = () => void read(LIVE_PARTS)

  return {
    readAll,
    /** Reads parts for a page without a stream, which is live while its reads succeed. */
    async readParts(parts: readonly LivePart[]): Promise<void> {
      update(state, await read(parts))
    },
    /** Reads the boards unless they have the attempt. */
    readFor({ id }: Pick<Attempt, 'id'>): void {
      const feed = state.get().parts.attempts?.attempts ?? []
      if (!document.hidden && !feed.some(attempt => attempt.id >= id)) readAll()
    },
    start(): void {
      polling ??= setInterval(readAll, POLL_EVERY_MS)
    },
    stop(): void {
      clearInterval(polling)
      polling = undefined
    },
  }
}
