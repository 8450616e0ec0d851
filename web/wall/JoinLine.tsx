import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { charsOf } from '../components/controls/chars.ts'
import { RULE } from '../messages.ts'
import { joinUrl } from '../net/join-address.ts'

/** Shows the game's address as text and as a QR code, or how to start a game that phones can open. */
export function JoinLine({ sleepHint }: { sleepHint: string | null }) {
  const url = joinUrl()
  return (
    <footer className="card wall-join">
      {url !== null && <Code url={url} />}
      <div>
        {url === null ? (
          <p className="wall-address" style={charsOf(START)}>
            Only this computer can play. For phones, start with <b>{START}</b>
          </p>
        ) : (
          <p className="wall-address" style={charsOf(new URL(url).host)}>
            Play at <b>{new URL(url).host}</b>
          </p>
        )}
        <p className="wall-rule">{sleepHint ?? RULE}</p>
      </div>
    </footer>
  )
}

const START = 'HOST=0.0.0.0 npm start'

/** The quiet zone of the QR code, in modules. */
const MARGIN = 2

function Code({ url }: { url: string }) {
  const code = generate(`${url}/`)
  const side = code.size + 2 * MARGIN
  return (
    <svg className="wall-code" viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`} aria-hidden="true">
      <path d={toSvgPath(code)} />
    </svg>
  )
}
