import { memo } from 'react'
import { TAPS_PER_ATTEMPT } from '../../contract/rules.ts'
import type { App } from '../app.ts'
import { formatTaps } from '../format.ts'
import { LastWin } from './LastWin.tsx'
import { useCalm } from './useCalm.ts'
import { useCountUp } from './useCountUp.ts'
import { usePart } from './useStore.ts'

/** From six digits on, a phone sets the amount smaller. */
const LONG_TAPS = 100_000

/** What the next win is worth, and who won last. */
export const PrizePool = memo(function PrizePool({ live }: Pick<App, 'live'>) {
  const pool = usePart(live, ({ parts }) => parts.prize_pool)
  const win = pool?.last_win ?? null
  return (
    <section className="pool" aria-label="Prize pool">
      <h2 className="label">Prize pool</h2>
      {pool === null ? <Unknown /> : <Amount taps={pool.taps} />}
      <div className="last-win">
        {win !== null && <LastWin win={win} />}
        {pool !== null && pool.taps <= 1 && <p className="adds">every try adds {TAPS_PER_ATTEMPT}</p>}
      </div>
    </section>
  )
})

function Unknown() {
  return (
    <p className="figure">
      <span className="pool-taps inked golden">–</span> <span className="unit">TAPS</span>
    </p>
  )
}

function Amount({ taps }: { taps: number }) {
  const shown = formatTaps(useCountUp(taps))
  const calm = useCalm(taps)
  return (
    // Set anew for each width: what stands beside it is not moved. A new key per amount restarts the tick.
    <p key={shown.length} className="figure">
      <span key={taps} className="pool-taps inked golden" data-long={taps >= LONG_TAPS} data-calm={calm}>
        {shown}
      </span>{' '}
      <span className="unit">TAPS</span>
    </p>
  )
}
