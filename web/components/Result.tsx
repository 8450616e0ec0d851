import { formatDifference, formatTime } from '../../contract/time.ts'
import { describeDifference } from '../difference.ts'
import { formatTaps } from '../format.ts'
import { RULE } from '../messages.ts'
import type { MyAttempts } from '../my-attempts.ts'
import type { RoundState } from '../round.ts'
import { BestYet } from './BestYet.tsx'
import './Result.css'

interface Props {
  round: RoundState
  message: string | null
  /** The TAPS it has won; null for none. */
  won: number | null
  myAttempts: MyAttempts
  /** Before the first round of the page the rule stands in the place of the boxes. */
  begun: boolean
  /** Something always true here, shown without being announced; a message takes its place. */
  hint: string | null
}

/** The comparison of the player's time with the target, and what to make of it. */
export function Result({ round, message, won, begun, myAttempts, hint }: Props) {
  const result = round.phase === 'stopped' ? round : null
  const closeness = result?.judgement.feedback.closeness
  return (
    <section className="result" aria-label="Result" data-closeness={closeness}>
      {!begun && <Rule message={message} hint={hint} />}
      <div className="outcome" hidden={!begun}>
        <dl className="boxes" data-empty={result === null}>
          <Box name="Your Time" value={result && `${formatTime(result.actualMs)}s`} />
          <Box name="Target" value={result && `${formatTime(result.targetMs)}s`} />
          <Box
            name="Difference"
            value={result && `${formatDifference(result.judgement.differenceMs)}s`}
            side={result === null ? undefined : sideOf(result.judgement.differenceMs)}
          />
        </dl>
        <div className="messages">
          {begun && result === null && <p className="rule">{RULE}</p>}
          <div role="status">
            {result !== null && (
              <p className="feedback">
                <span className="inked">{result.judgement.feedback.message}</span>
                <span className="visually-hidden"> {describeDifference(result.judgement.differenceMs)}</span>
              </p>
            )}
            {message === null && (
              <p className="winnings">
                {won !== null && <span className="inked golden">You won {formatTaps(won)} TAPS</span>}{' '}
                {result !== null && <BestYet myAttempts={myAttempts} result={result} />}
              </p>
            )}
            {begun && message !== null && <p className="message">{message}</p>}
          </div>
          {begun && message === null && hint !== null && <p className="hint">{hint}</p>}
        </div>
      </div>
    </section>
  )
}

/** The whole game in one line and a picture: the dot, on its way to the target and what is as good as it. */
function Rule({ message, hint }: Pick<Props, 'message' | 'hint'>) {
  return (
    <div className="intro">
      <svg className="intro-picture" viewBox="0 0 88 36" aria-hidden="true">
        <path className="intro-rail" d="M0 18h88" />
        <rect className="intro-band" x="50" y="4" width="24" height="28" rx="4" />
        <path className="intro-tick" d="M62 1v34" />
        <circle className="intro-dot" cx="28" cy="18" r="8" />
      </svg>
      <p className="rule">{RULE}</p>
      <div className="intro-words" role="status">
        {message !== null && <p className="message">{message}</p>}
      </div>
      {message === null && hint !== null && <p className="hint intro-words">{hint}</p>}
    </div>
  )
}

function sideOf(differenceMs: number): string | undefined {
  if (differenceMs === 0) return undefined
  return differenceMs > 0 ? 'late' : 'early'
}

/** `side`, early or late, is for the eye: the feedback says it in words. */
function Box({ name, value, side }: { name: string; value: string | null; side?: string | undefined }) {
  return (
    <div className="box" data-side={side}>
      <dt className="label">{name}</dt>
      {/* Set anew for each value: a figure of another width is not the old one moved. */}
      <dd key={value}>{value ?? '–'}</dd>
    </div>
  )
}
