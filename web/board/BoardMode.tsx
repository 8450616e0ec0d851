import { type CSSProperties, useEffect, useRef } from 'react'
import { Title } from '../components/account/Title.tsx'
import { LastWin } from '../components/boards/LastWin.tsx'
import { Ranks } from '../components/boards/Leaderboard.tsx'
import { RecentAttempts } from '../components/boards/RecentAttempts.tsx'
import { useCounted } from '../components/hooks/useCounted.ts'
import { usePart } from '../components/hooks/useStore.ts'
import { celebrate } from '../feel/confetti.ts'
import { isInPage } from '../feel/keys.ts'
import type { BoardOptions, BoardPart } from '../lib/board-hash.ts'
import { formatTaps } from '../lib/format.ts'
import type { Live } from '../live/live.ts'
import { BoardRail } from './BoardRail.tsx'
import { JoinLine } from './JoinLine.tsx'
import { useSleepHint } from './useSleepHint.ts'
import { useWinMoment } from './useWinMoment.ts'
import './BoardMode.css'

interface Props {
  live: Live
  options: BoardOptions
  onLeave: () => void
}

const CONFETTI_STRENGTH = 1.8

/** Shows the boards, or one of them, for a wall screen or a video stream. Escape or a click returns to the game. */
export function BoardMode({ live, options: { show, transparent }, onLeave }: Props) {
  useEffect(() => leaveByEscapeOrPress(onLeave), [onLeave])
  useEffect(() => {
    document.documentElement.toggleAttribute('data-transparent', transparent)
    return () => document.documentElement.removeAttribute('data-transparent')
  }, [transparent])
  const sleepHint = useSleepHint()
  const shows = (part: BoardPart) => show === null || show === part
  return (
    <main className="wall" data-show={show ?? 'all'}>
      <div className="wall-parts">
        {shows('pool') && <Hero live={live} />}
        {shows('leaderboard') && <Leaders live={live} />}
        {shows('attempts') && <RecentAttempts live={live} highlightsWins />}
        {show === null && <JoinLine sleepHint={sleepHint} />}
      </div>
    </main>
  )
}

function Leaders({ live }: { live: Live }) {
  return (
    <section className="card board" aria-label="Leaderboard">
      <h2 className="label">Leaderboard</h2>
      <Ranks live={live} session={null} claim={null} />
    </section>
  )
}

function leaveByEscapeOrPress(leave: () => void): () => void {
  const undo = new AbortController()
  const { signal } = undo
  const onKeyDown = ({ key, target }: KeyboardEvent) => {
    if (key === 'Escape' && isInPage(target)) leave()
  }
  const onClick = ({ target }: MouseEvent) => {
    if (isInPage(target)) leave()
  }
  document.addEventListener('keydown', onKeyDown, { signal })
  document.addEventListener('click', onClick, { signal })
  return () => undo.abort()
}

/** Shows the pool. After a win, briefly shows the TAPS won. */
function Hero({ live }: { live: Live }) {
  const pool = usePart(live, ({ parts }) => parts.prize_pool)
  const feed = usePart(live, ({ parts }) => parts.attempts)?.attempts
  const moment = useWinMoment(pool?.last_win)
  const hero = useRef<HTMLElement>(null)
  useEffect(() => {
    if (moment !== null) void celebrate(CONFETTI_STRENGTH, hero.current, '.wall-taps')
  }, [moment])
  return (
    <section ref={hero} className="card wall-pool" aria-label="Prize pool" data-won={moment !== null}>
      <header className="wall-head">
        <Title />
        <h2 className="label">{moment === null ? 'Prize pool' : 'Won'}</h2>
      </header>
      {moment !== null && <Amount shown={`+${formatTaps(moment.won_taps)}`} />}
      {moment === null && (pool === null ? <Amount shown="–" /> : <Counted taps={pool.taps} />)}
      <div className="wall-win">{pool?.last_win && <LastWin win={pool.last_win} />}</div>
      <BoardRail feed={feed ?? NO_ATTEMPTS} />
    </section>
  )
}

const NO_ATTEMPTS = [] as const

function Amount({ shown }: { shown: string }) {
  return (
    <p className="wall-amount" style={{ '--digits': Math.max(2, shown.length) } as CSSProperties}>
      <span className="wall-taps inked golden">{shown}</span> <span className="unit">TAPS</span>
    </p>
  )
}

function Counted({ taps }: { taps: number }) {
  return <Amount shown={formatTaps(useCounted(taps))} />
}
