import { memo } from 'react'
import type { PrizePool as Pool } from '../../../contract/api.ts'
import { TAPS_PER_ATTEMPT } from '../../../contract/rules.ts'
import type { App, GameProps } from '../../app.ts'
import { formatTaps } from '../../lib/format.ts'
import { canHighlightWin } from '../../round/round.ts'
import { charsOf } from '../controls/chars.ts'
import { useCounted } from '../hooks/useCounted.ts'
import { useSettled } from '../hooks/useSettled.ts'
import { usePart, useStore } from '../hooks/useStore.ts'
import { HoldChip, useHeld } from './HoldChip.tsx'
import { LastWin } from './LastWin.tsx'

/** Shows the pool and, next to it, a held prize or else the last winner. */
export const PrizePool = memo(function PrizePool({ app, session }: GameProps) {
  const pool = usePart(app.live, ({ parts }) => parts.prize_pool)
  const isRunning = usePart(app.shown, ({ round }) => round.phase === 'running')
  const held = useHeld({ app, session })
  const { lostTaps } = session
  return (
    <section className="pool" aria-label="Prize pool">
      <h2 className="label">Prize pool</h2>
      {pool === null ? <Figure text="–" /> : <Counted taps={pool.taps} isCalm={!isRunning} />}
      <div className="last-win">
        {held !== null && <HoldChip app={app} session={session} held={held} />}
        {held === null && lostTaps === null && pool !== null && <LastWinner app={app} pool={pool} />}
        {/* Always mounted, so that screen readers announce the notice. */}
        <div role="status">
          {lostTaps !== null && <p>{`Hold ended: ${formatTaps(lostTaps)} TAPS back in the pool`}</p>}
        </div>
      </div>
    </section>
  )
})

/** Shows who won last or, before the first win, how the pool grows. */
function LastWinner({ app: { shown, myAttempts }, pool }: { app: App; pool: Pool }) {
  const highlightsWins = usePart(shown, canHighlightWin)
  const { taps, last_win: win } = pool
  const isOwn = useStore(myAttempts.attempts).some(
    ({ created_at, won_taps }) => created_at === win?.created_at && won_taps === win.won_taps,
  )
  const isNews = useSettled(win?.created_at ?? 'never', highlightsWins)
  if (win !== null) return <LastWin win={win} isOwn={isOwn} isNews={isNews} />
  if (taps > 1) return null
  return <p>{taps === 0 ? `your try makes it ${TAPS_PER_ATTEMPT}` : `every try adds ${TAPS_PER_ATTEMPT}`}</p>
}

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
