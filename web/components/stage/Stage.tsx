import type { App } from '../../app.ts'
import { prizeTitle } from '../../lib/messages.ts'
import type { GameState } from '../../round/game.ts'
import { Result } from './Result.tsx'
import { TargetTime } from './TargetTime.tsx'
import { Track } from './Track.tsx'

interface Props {
  app: Pick<App, 'live' | 'myAttempts' | 'session' | 'stake'>
  state: GameState
  /** All TAPS held, in claim mode; null in other modes. */
  held: number | null
  /** Whether the waiting dot demonstrates the game. */
  glides: boolean
}

export function Stage({ app, state, held, glides }: Props) {
  const { round, won } = state
  const closeness = round.phase === 'stopped' ? round.judgement.feedback.closeness : undefined
  return (
    <div className="stage" data-closeness={closeness} data-won={won !== null}>
      {held === null ? <TargetTime round={round} /> : <p className="target label">{prizeTitle(won, held)}</p>}
      <Track round={round} won={won} held={held} glides={glides} app={app} />
      <Result state={state} app={app} />
    </div>
  )
}
