import { formatTaps } from './format.ts'
import type { Live } from './live.ts'
import { useStore } from './useStore.ts'

/** What the next win is worth. */
export function PrizePool({ live }: { live: Live }) {
  const { parts } = useStore(live.state)
  const taps = parts.prize_pool?.taps
  return (
    <section className="pool" aria-label="Prize pool">
      <h2 className="label">Prize pool</h2>
      <p className="figure">
        {/* A new key per amount restarts the tick. */}
        <span key={taps} className="pool-taps">
          {taps === undefined ? '–' : formatTaps(taps)}
        </span>{' '}
        <span className="unit">TAPS</span>
      </p>
    </section>
  )
}
