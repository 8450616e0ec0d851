import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { charsOf } from '../components/controls/chars.ts'
import { RULE } from '../messages.ts'

interface Props {
  /** The game's address; null when phones cannot reach the game. */
  url: string | null
  sleepHint: string | null
}

/** Shows the game's address as text and as a QR code. */
export function JoinLine({ url, sleepHint }: Props) {
  const host = url === null ? LOCAL : new URL(url).host
  return (
    <footer className="card wall-join">
      {url !== null && <Code url={url} />}
      <div>
        <p className="wall-address" style={charsOf(host)}>
          {url !== null && <span>Play at</span>} <b>{host}</b>
        </p>
        <p className="wall-rule">{sleepHint ?? RULE}</p>
      </div>
    </footer>
  )
}

const LOCAL = 'Only this computer can play.'

/** The quiet zone of the QR code, in modules, as ISO 18004 asks. */
const MARGIN = 4

function Code({ url }: { url: string }) {
  const code = generate(`${url}/`)
  const side = code.size + 2 * MARGIN
  return (
    <svg className="wall-code" viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`} aria-hidden="true">
      <path d={toSvgPath(code)} />
    </svg>
  )
}
