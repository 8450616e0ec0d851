import { useEffect, useRef, useState } from 'react'
import type { LastWin as Win } from '../../contract/api.ts'
import { Title } from '../components/account/Title.tsx'
import { LastWin } from '../components/boards/LastWin.tsx'
import { charsOf } from '../components/controls/chars.ts'
import { useCounted } from '../components/hooks/useCounted.ts'
import { usePart } from '../components/hooks/useStore.ts'
import { useElapsed } from '../components/hooks/useTime.ts'
import { celebrate } from '../feel/confetti.ts'
import { decorate } from '../feel/decorate.ts'
import { formatTaps } from '../lib/format.ts'
import type { Live } from '../live/live.ts'
import { BoardRail } from './BoardRail.tsx'

const CONFETTI_STRENGTH = 1.8

const MOMENT_MS = 3_000
/** The time for a small win, which happens often. */
const SHORT_MOMENT_MS = 1_200
/** The fewest TAPS of a win that is shown for the whole time. */
const LARGE_TAPS = 5

const NO_ATTEMPTS = [] as const

/** Shows the pool. After a win, briefly shows the TAPS won. */
export function Hero({ live }: { live: Live }) {
  const pool = usePart(live, ({ parts }) => parts.prize_pool)
  const feed = usePart(live, ({ parts }) => parts.attempts)?.attempts
  const moment = useWinMoment(pool?.last_win)
  const hero = useRef<HTMLElement>(null)
  useEffect(() => {
    if (moment === null) return
    decorate(() => celebrate(hero.current, '.wall-taps', CONFETTI_STRENGTH))
  }, [moment])
  return (
    <section ref={hero} className="card wall-pool" aria-label="Prize pool" data-won={moment !== null}>
      <header className="wall-head">
        <Title />
        <h2 className="label">{moment === null ? 'Prize pool' : 'Won'}</h2>
      </header>
      {moment !== null && <Figure text={`+${formatTaps(moment.won_taps)}`} />}
      {moment === null && (pool === null ? <Figure text="–" /> : <Counted taps={pool.taps} />)}
      <div className="wall-win">{pool?.last_win && <LastWin win={pool.last_win} />}</div>
      <BoardRail feed={feed ?? NO_ATTEMPTS} />
    </section>
  )
}

function Figure({ text }: { text: string }) {
  return (
    <p className="wall-amount" style={charsOf(text)}>
      <span className="wall-taps inked golden">{text}</span> <span className="unit">TAPS</span>
    </p>
  )
}

function Counted({ taps }: { taps: number }) {
  return <Figure text={formatTaps(useCounted(taps))} />
}

/**
 * Returns a new win for one to three seconds, then null. Ignores a win that was already known when the board opened.
 *
 * @param win - The last win; undefined until the pool is known.
 */
function useWinMoment(win: Win | null | undefined): Win | null {
  const at = win === undefined ? undefined : (win?.created_at ?? null)
  const [seen, setSeen] = useState(at)
  const [shown, setShown] = useState<Win | null>(null)
  if (at !== undefined && at !== seen) {
    setSeen(at)
    if (seen !== undefined && win) setShown(win)
  }
  const isSmall = shown !== null && shown.won_taps < LARGE_TAPS
  return useElapsed(shown, isSmall ? SHORT_MOMENT_MS : MOMENT_MS) ? null : shown
}
