import { useEffect } from 'react'
import { Leaderboard } from '../components/boards/Leaderboard.tsx'
import { RecentAttempts } from '../components/boards/RecentAttempts.tsx'
import type { BoardOptions, BoardPart } from '../lib/board-hash.ts'
import { isInPage } from '../lib/keys.ts'
import type { Live } from '../live/live.ts'
import { joinUrl } from '../net/join-address.ts'
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
export function BoardMode({ live, options: { show, transparent }, onLeave }: Props) {
  useEffect(() => leaveByEscapeOrPress(onLeave), [onLeave])
  useEffect(() => {
    document.documentElement.toggleAttribute('data-transparent', transparent)
    return () => document.documentElement.removeAttribute('data-transparent')
  }, [transparent])
  const sleepHint = useSleepHint()
  const shows = (part: BoardPart) => show === null || show === part
  const call = show === null && joinUrl() !== null ? ' Scan the code.' : ''
  return (
    <main className="wall" data-show={show ?? 'all'}>
      <div className="wall-parts">
        {shows('pool') && <Hero live={live} />}
        {shows('leaderboard') && (
          <Leaderboard live={live} session={null} claim={null} empty={`No one yet.${call}`} />
        )}
        {shows('attempts') && <RecentAttempts live={live} highlightsWins empty={`No attempts yet.${call}`} />}
        {show === null && <JoinLine sleepHint={sleepHint} />}
      </div>
    </main>
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
