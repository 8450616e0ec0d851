import type { Parts } from './assemble.ts'
import type { GameState } from './game.ts'
import { coarseNote } from './notes.ts'
import { PlayButton } from './PlayButton.tsx'
import { PrizePool } from './PrizePool.tsx'
import { Result } from './Result.tsx'
import type { PageSession } from './session.ts'
import { TargetTime } from './TargetTime.tsx'
import { Track } from './Track.tsx'
import { useStore } from './useStore.ts'
import { YourTiming } from './YourTiming.tsx'

interface Props {
  parts: Parts
  session: PageSession
  state: GameState
}

/** Everything a round needs, in the order a player looks at it. */
export function GameCard({ parts, session, state }: Props) {
  const { round, sending, changing, note } = state
  const coarseStep = useStore(parts.coarseStep)
  const running = round.phase === 'running'
  const key = session.user?.id ?? 'guest'
  return (
    <div className="card game">
      <PrizePool live={parts.live} />
      <TargetTime round={round} />
      <Track round={round} />
      <PlayButton running={running} disabled={!running && (sending || changing)} onPlay={parts.game.press} />
      <Result round={round} note={note} hint={coarseStep === null ? null : coarseNote(coarseStep)} />
      <YourTiming key={key} mine={parts.mine} />
    </div>
  )
}
