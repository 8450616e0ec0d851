import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { RULE } from '../lib/messages.ts'
import { joinUrl } from './join-address.ts'
import { useSleepHint } from './useSleepHint.ts'

/** Shows the game's address as text and as a QR code, or how to start a game that phones can open. */
export function JoinLine() {
  const url = joinUrl()
  const hint = useSleepHint()
  return (
    <footer className="card wall-join">
      {url === null ? <NotJoinable /> : <Address url={url} />}
      <p className="wall-rule">{hint ?? RULE}</p>
    </footer>
  )
}

function NotJoinable() {
  return (
    <p className="wall-address">
      Only this computer can play. For phones, start with <b>HOST=0.0.0.0 npm start</b>
    </p>
  )
}

/** The quiet zone of the QR code, in modules. */
const MARGIN = 2

function Address({ url }: { url: string }) {
  const code = generate(`${url}/`)
  const side = code.size + 2 * MARGIN
  return (
    <>
      <svg className="wall-code" viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`} aria-hidden="true">
        <path d={toSvgPath(code)} />
      </svg>
      <p className="wall-address">
        Play at <b>{new URL(url).host}</b>
      </p>
    </>
  )
}
