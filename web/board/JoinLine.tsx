import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { RULE } from '../messages.ts'

/** The quiet zone of the QR code, in modules. */
const MARGIN = 2

/** Shows the game's address as text and as a QR code. */
export function JoinLine() {
  const { host, origin } = location
  const code = generate(`${origin}/`)
  const side = code.size + 2 * MARGIN
  return (
    <footer className="card wall-join">
      <svg className="wall-code" viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`} aria-hidden="true">
        <path d={toSvgPath(code)} />
      </svg>
      <p className="wall-address">
        Play at <b>{host}</b>
      </p>
      <p className="wall-rule">{RULE}</p>
    </footer>
  )
}
