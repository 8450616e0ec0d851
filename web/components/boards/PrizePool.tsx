import { memo } from 'react'
import { TAPS_PER_ATTEMPT } from '../../../contract/rules.ts'
import type { App } from '../../app.ts'
import { formatTaps } from '../../lib/format.ts'
import { canHighlightWin } from '../../round/round.ts'
import { charsOf } from '../controls/chars.ts'
import { useCounted } from '../hooks/useCounted.ts'
import { useSettled } from '../hooks/useSettled.ts'
import { usePart, useStore } from '../hooks/useStore.ts'
import { LastWin } from './LastWin.tsx'

export const PrizePool = memo(function PrizePool({ app: { live, shown, myAttempts } }: { app: App }) {
  const pool = usePart(live, ({ parts }) => parts.prize_pool)
  const isRunning = usePart(shown, ({ round }) => round.phase === 'running')
  const highlightsWins = usePart(shown, canHighlightWin)
  const win = pool?.last_win ?? null
  const isOwn = useStore(myAttempts.attempts).some(
    ({ created_at, won_taps }) => created_at === win?.created_at && won_taps === win.won_taps,
  )
  const isNews = useSettled(pool === null ? null : (win?.created_at ?? 'never'), highlightsWins)
  return (
    <section className="pool" aria-label="Prize pool">
      <h2 className="label">Prize pool</h2>
      {pool === null ? <Figure text="–" /> : <Counted taps={pool.taps} isCalm={!isRunning} />}
      <div className="last-win">
        {win !== null && <LastWin win={win} isOwn={isOwn} isNews={isNews} />}
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

function Figure({ text }: { text: string }) {
  return (
    <p className="figure" data-long={text.length >= LONG_CHARS} style={charsOf(text)}>
      <span className="pool-taps inked golden">{text}</span> <span className="unit">TAPS</span>
    </p>
  )
}

function Counted({ taps, isCalm }: { taps: number; isCalm: boolean }) {
  return <Figure text={formatTaps(useCounted(taps, isCalm))} />
}
