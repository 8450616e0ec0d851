import { FEEDBACK } from '../../../contract/rules.ts'
import { formatDifference, formatTime } from '../../../contract/time.ts'
import type { App } from '../../app.ts'
import { describeDifference, formatTaps } from '../../lib/format.ts'
import { IDLE_RULE, INSTRUCTION, MESSAGES } from '../../messages.ts'
import { invitation } from '../../result/dare-line.ts'
import type { Piece } from '../../result/piece.ts'
import { isEvent, type SecondLine as Line } from '../../result/second-line.ts'
import { ENOUGH_ROUNDS } from '../../result/timing.ts'
import type { GameState } from '../../round/game.ts'
import type { Stopped } from '../../round/round.ts'
import { ClaimedTaps } from '../claim/ClaimedTaps.tsx'
import { useStore } from '../hooks/useStore.ts'

interface Props {
  app: App
  state: GameState
  line: Line | null
}

/** Shows the times and, below them, the feedback. Explains the game until there is a result. */
export function Result({ app, state, line }: Props) {
  const { round, message, won, claimed } = state
  const result = round.phase === 'stopped' ? round : null
  return (
    <section className="result" aria-label="Result" data-phase={round.phase}>
      <Boxes result={result} />
      <div className="reserve" aria-hidden="true" data-feedback={LONGEST_FEEDBACK} data-line={LONGEST_LINE} />
      <div className="say">
        {round.phase === 'idle' && claimed === null && <Idle app={app} hasMessage={message !== null} />}
        {/* Always mounted, so that screen readers announce the text. */}
        <div className="said" role="status" aria-atomic={false}>
          {result !== null && <Feedback result={result} />}
          {won !== null && <p className="visually-hidden">{`You won ${formatTaps(won)} TAPS`}</p>}
          {message === null && claimed !== null && <ClaimedTaps app={app} claimed={claimed} />}
          {line !== null && <SecondLine key={keyOf(line)} line={line} />}
        </div>
      </div>
    </section>
  )
}

/** Explains the game to a newcomer, then shows the rule or the dare, unless a message takes their place. */
function Idle({ app, hasMessage }: { app: App; hasMessage: boolean }) {
  const isNew = useStore(app.myAttempts.attempts).length < ENOUGH_ROUNDS
  const dare = useStore(app.dares.dare)
  return (
    <>
      {isNew && <p className="explanation">{INSTRUCTION}</p>}
      {!hasMessage && dare === null && <p className="rule">{IDLE_RULE}</p>}
      {!hasMessage && dare !== null && (
        <p className="rule">
          <Pieces pieces={invitation(dare)} />
        </p>
      )}
    </>
  )
}

/** The texts whose height the page keeps free. */
const LONGEST_FEEDBACK = longest(FEEDBACK.map(({ message }) => message))
const LONGEST_LINE = longest([MESSAGES.clock, MESSAGES.retrying, MESSAGES.notSaved])

function longest(texts: readonly string[]): string {
  return texts.reduce((a, b) => (b.length > a.length ? b : a))
}

/** Keeps a line that grows by a place in today's list, so that screen readers announce only the place. */
function keyOf({ about, pieces }: Line): string {
  return `${about} ${pieces[0]?.text}`
}

function SecondLine({ line }: { line: Line }) {
  return (
    <p className="second" data-about={line.about} data-event={isEvent(line)}>
      <Pieces pieces={line.pieces} />
    </p>
  )
}

function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(piece => <Said key={piece.text} piece={piece} />)
}

/** Keeps a time and its unit on one line. */
function Said({ piece: { text, kind } }: { piece: Piece }) {
  if (kind === 'name') return <bdi>{text}</bdi>
  return <span data-kind={kind}>{text.replaceAll(/(\d) s\b/g, '$1\u00a0s')}</span>
}

function Feedback({ result: { judgement } }: { result: Stopped }) {
  const { differenceMs, feedback } = judgement
  return (
    <p className="feedback">
      <span className="inked">{feedback.message}</span>
      <span className="visually-hidden">{` ${describeDifference(differenceMs)}`}</span>
    </p>
  )
}

/** Shows the values of a result. Without a result, the hidden boxes keep their place. */
function Boxes({ result }: { result: Stopped | null }) {
  const differenceMs = result?.judgement.differenceMs ?? 0
  const side = differenceMs === 0 ? 'exact' : differenceMs > 0 ? 'late' : 'early'
  const shown = (text: (stopped: Stopped) => string) => (result === null ? NO_VALUE : `${text(result)}s`)
  return (
    <dl className="boxes">
      <Box name="Your Time" value={shown(({ actualMs }) => formatTime(actualMs))} />
      <Box name="Target" value={shown(({ targetMs }) => formatTime(targetMs))} />
      <Box name="Difference" value={shown(() => formatDifference(differenceMs))} side={side} />
    </dl>
  )
}

/** A no-break space, which is as high as a value. */
const NO_VALUE = '\u00a0'

/** Shows one value. Screen readers skip `side`, which the feedback repeats in words. */
function Box({ name, value, side }: { name: string; value: string; side?: string }) {
  return (
    <div className="box" data-side={side}>
      <dt className="label">{name}</dt>
      <dd data-side={side}>{value}</dd>
    </div>
  )
}
