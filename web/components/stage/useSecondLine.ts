import type { App } from '../../app.ts'
import { type SecondLine, secondLine } from '../../result/second-line.ts'
import type { GameState } from '../../round/game.ts'
import { useStore } from '../hooks/useStore.ts'
import { useIsPast } from '../hooks/useTime.ts'

/** The time without an answer after which the page says that it still sends. */
const SENDING_AFTER_MS = 1_000

/** Returns the line below the feedback, or null. */
export function useSecondLine(app: App, state: GameState): SecondLine | null {
  const { round, sendingSince } = state
  const handEnd = useStore(app.handEnd)
  const isStopped = round.phase === 'stopped'
  return secondLine({
    ...state,
    handEnd,
    isSending: useIsPast(sendingSince === null ? null : sendingSince + SENDING_AFTER_MS),
    isRecorded: isStopped && sendingSince === null,
    differenceMs: isStopped ? round.judgement.differenceMs : 0,
  })
}
