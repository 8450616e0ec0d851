import { memo } from 'react'
import { TAPS_PER_ATTEMPT } from '../../../contract/rules.ts'
import { formatTaps } from '../../lib/format.ts'
import type { Store } from '../../lib/store.ts'
import type { Live } from '../../live/live.ts'
import type { GameState } from '../../round/game.ts'
import { canHighlightWin } from '../../round/round.ts'
import { charsOf } from '../controls/chars.ts'
import { useCounted } from '../hooks/useCounted.ts'
import { useSettled } from '../hooks/useSettled.ts'
import { usePart } from '../hooks/useStore.ts'
import { LastWin } from './LastWin.tsx'

interface Props {
  live: Live
  shown: Store<GameState>
}

export const PrizePool = memo(function PrizePool({ live, shown }: Props) {
  const pool = usePart(live, ({ parts }) => parts.prize_pool)
  const isRunning = usePart(shown, ({ round }) => round.phase === 'running')
  const highlightsWins = usePart(shown, canHighlightWin)
  const win = pool?.last_win ?? null
  const isNews = useSettled(pool === null ? null : (win?.created_at ?? 'never'), highlightsWins)
  return (
    <section className="pool" aria-label="Prize pool">
      <h2 className="label">Prize pool</h2>
      {pool === null ? <Amount shown="–" /> : <Counted taps={pool.taps} isCalm={!isRunning} />}
      <div className="last-win">
        {win !== null && <LastWin win={win} isNews={isNews} />}
        {win === null && pool !== null && pool.taps <= 1 && (
          <p>
            {pool.taps === 0 ? `your try makes it ${TAPS_PER_ATTEMPT}` : `every try adds ${TAPS_PER_ATTEMPT}`}
          </p>
        )}
      </div>
    </section>
  )
})

/** The number of characters from which an amount needs the winner's place on narrow screens. */
const LONG_CHARS = 5

function Amount({ shown }: { shown: string }) {
  const { length } = shown
  return (
    <p className="figure" data-long={length >= LONG_CHARS} style={charsOf(shown)}>
      <span className="pool-taps inked golden">{shown}</span> <span className="unit">TAPS</span>
    </p>
  )
}

function Counted({ taps, isCalm }: { taps: number; isCalm: boolean }) {
  return <Amount shown={formatTaps(useCounted(taps, isCalm))} />
}
