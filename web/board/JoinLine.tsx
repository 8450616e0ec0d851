import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import type { CSSProperties } from 'react'
import { RULE } from '../lib/messages.ts'
import { joinUrl } from '../net/join-address.ts'

/** Shows the game's address as text and as a QR code, or how to start a game that phones can open. */
export function JoinLine({ sleepHint }: { sleepHint: string | null }) {
  const url = joinUrl()
  return (
    <footer className="card wall-join">
      {url !== null && <Code url={url} />}
      <div>
        {url === null ? <NotJoinable /> : <Address host={new URL(url).host} />}
        <p className="wall-rule">{sleepHint ?? RULE}</p>
      </div>
    </footer>
  )
}

const START = 'HOST=0.0.0.0 npm start'

/** Sets the text's size by the characters of its longest line. */
function fitting(line: string): CSSProperties {
  return { '--chars': line.length } as CSSProperties
}

function NotJoinable() {
  return (
    <p className="wall-address" style={fitting(START)}>
      Only this computer can play. For phones, start with <b>{START}</b>
    </p>
  )
}

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

function Address({ host }: { host: string }) {
  return (
    <p className="wall-address" style={fitting(host)}>
      Play at <b>{host}</b>
    </p>
  )
}
