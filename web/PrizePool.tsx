import { formatTaps } from './format.ts'
import type { Live } from './live.ts'
import { useStore } from './useStore.ts'

/** From six digits on, a phone sets the amount smaller. */
const LONG_TAPS = 100_000

/** What the next win is worth. */
export function PrizePool({ live }: { live: Live }) {
  const { parts } = useStore(live.state)
  const taps = parts.prize_pool?.taps
  return (
    <section className="pool" aria-label="Prize pool">
      <h2 className="label">Prize pool</h2>
      {/* A new key per amount restarts the tick. */}
      <p key={taps} className="figure">
        <span className="pool-taps" data-long={taps !== undefined && taps >= LONG_TAPS}>
          {taps === undefined ? '–' : formatTaps(taps)}
        </span>{' '}
        <span className="unit">TAPS</span>
      </p>
    </section>
  )
}
