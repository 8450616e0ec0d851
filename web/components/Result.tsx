import { formatDifference, formatTime } from '../../contract/time.ts'
import { formatTaps } from '../format.ts'
import { RULE } from '../messages.ts'
import type { RoundState } from '../round.ts'
import { describeDifference } from '../timing.ts'
import './Result.css'

interface Props {
  round: RoundState
  message: string | null
  /** The TAPS it has won; null for none. */
  won: number | null
  /** Something always true here, shown without being announced; a message takes its place. */
  hint: string | null
}

/** The comparison of the player's time with the target, and what to make of it. */
export function Result({ round, message, won, hint }: Props) {
  const result = round.phase === 'stopped' ? round : null
  const closeness = result?.judgement.feedback.closeness
  return (
    <section className="result" aria-label="Result" data-closeness={closeness}>
      <dl className="boxes" data-empty={result === null}>
        <Box name="Your Time" value={result && `${formatTime(result.actualMs)}s`} />
        <Box name="Target" value={result && `${formatTime(result.targetMs)}s`} />
        <Box name="Difference" value={result && `${formatDifference(result.judgement.differenceMs)}s`} />
      </dl>
      <div className="messages">
        {result === null && <p className="rule">{RULE}</p>}
        <div role="status">
          {result !== null && (
            <p className="feedback">
              <span>{result.judgement.feedback.message}</span>
              <span className="visually-hidden"> {describeDifference(result.judgement.differenceMs)}</span>
            </p>
          )}
          {won !== null && <p className="winnings">You won {formatTaps(won)} TAPS</p>}
          {message !== null && <p className="message">{message}</p>}
        </div>
        {message === null && hint !== null && <p className="hint">{hint}</p>}
      </div>
    </section>
  )
}

function Box({ name, value }: { name: string; value: string | null }) {
  return (
    <div className="box">
      <dt className="label">{name}</dt>
      {/* Set anew for each value: a figure of another width is not the old one moved. */}
      <dd key={value}>{value ?? '–'}</dd>
    </div>
  )
}
