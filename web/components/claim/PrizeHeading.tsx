import { formatTaps } from '../../lib/format.ts'
import { charsOf } from '../controls/chars.ts'

/** Shows the prize as the heading of claim mode, with "+" if the prize is the win in view. */
export function PrizeHeading({ taps, isWin = false }: { taps: number; isWin?: boolean }) {
  const text = `${isWin ? '+' : ''}${formatTaps(taps)}`
  return (
    // `aria-label` repeats the text, because WebKit drops the space between stacked elements.
    <h2 id="claim-title" className="amount" style={charsOf(text)} aria-label={`${formatTaps(taps)} TAPS`}>
      <span className="inked golden">{text}</span> <span className="unit">TAPS</span>
    </h2>
  )
}
