import { useEffect, useState } from 'react'
import { AllTimeList } from '../components/boards/AllTimeList.tsx'
import { Board } from '../components/boards/Leaderboard.tsx'
import { RecentAttempts } from '../components/boards/RecentAttempts.tsx'
import { TodayList } from '../components/boards/TodayList.tsx'
import { usePart, useStore } from '../components/hooks/useStore.ts'
import type { BoardOptions, BoardPart } from '../lib/board-hash.ts'
import { isInPage } from '../lib/page-events.ts'
import type { Live } from '../live/live.ts'
import { joinAddress } from '../net/join-address.ts'
import { Hero } from './Hero.tsx'
import { JoinLine } from './JoinLine.tsx'
import { useSleepHint } from './useSleepHint.ts'
import './BoardMode.css'

interface Props {
  live: Live
  options: BoardOptions
  onLeave: () => void
}

/** Shows the boards, or one of them, for a wall screen or a video stream. Escape or a click returns to the game. */
export function BoardMode({ live, options, onLeave }: Props) {
  const { show, list } = options
  useEffect(() => leaveByEscapeOrPress(onLeave), [onLeave])
  useOptions(options)
  const sleepHint = useSleepHint()
  const url = useStore(joinAddress)
  const attempts = usePart(live, ({ parts }) => parts.attempts)?.attempts.length ?? null
  const isEnlarged = useToggle('KeyQ', show === null)
  const isEmpty = attempts === 0
  const shows = (part: BoardPart) => show === null || show === part
  const call = show === null && url !== null ? ' Scan the code.' : ''
  // An address leads to the game; without one, a line helps only before the first attempt.
  const hasJoin = show === null && (url !== null || isEmpty)
  return (
    <main
      className="wall"
      data-show={show ?? 'all'}
      data-join={!hasJoin ? 'none' : url !== null && (isEmpty || isEnlarged) ? 'large' : 'small'}
    >
      <div className="wall-parts">
        {!shows('pool') && <h1 className="visually-hidden">TAPS</h1>}
        {shows('pool') && <Hero live={live} />}
        {(show ?? list) === 'leaderboard' && (
          <Board name="Leaderboard">
            <AllTimeList live={live} session={null} claim={null} empty={`No one yet.${call}`} />
          </Board>
        )}
        {(show ?? list) === 'today' && (
          <Board name="Today">
            <TodayList live={live} reader={null} empty={`No hand of five yet today.${call}`} />
          </Board>
        )}
        {shows('attempts') && <RecentAttempts live={live} highlightsWins empty={`No attempts yet.${call}`} />}
        {hasJoin && <JoinLine url={url} sleepHint={sleepHint} />}
      </div>
    </main>
  )
}

/** Applies the options for the page around the wall. */
function useOptions({ transparent, scheme }: BoardOptions): void {
  useEffect(() => {
    const { documentElement: root } = document
    root.toggleAttribute('data-transparent', transparent)
    if (scheme !== null) root.setAttribute('data-scheme', scheme)
    return () => {
      root.removeAttribute('data-transparent')
      root.removeAttribute('data-scheme')
    }
  }, [transparent, scheme])
}

/** Returns a state that a key switches on and off, unless it is disabled. */
function useToggle(code: string, isEnabled: boolean): boolean {
  const [isOn, setIsOn] = useState(false)
  useEffect(() => {
    if (!isEnabled) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.code === code && !event.repeat && isInPage(event.target)) setIsOn(on => !on)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [code, isEnabled])
  return isOn
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
