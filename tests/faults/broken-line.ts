import type { Socket } from 'node:net'
import { Relay } from '../support/relay.ts'

/** Where a call can be cut off. All but the first are after the server has done what it was asked to. */
export const CUTS = [
  'before the request',
  'before the answer',
  'in the head of the answer',
  'in the body of the answer',
] as const
export type Cut = (typeof CUTS)[number]

const HEAD_END = '\r\n\r\n'
const NOTHING: Buffer = Buffer.alloc(0)

/** A line to a server that carries every byte as it is, until it is told to break off certain calls. */
export class BrokenLine {
  #relay: Relay | undefined
  #broken: { path: string; cut: Cut } | null = null
  #breaks = 0

  static async open(target: string): Promise<BrokenLine> {
    const line = new BrokenLine()
    line.#relay = await Relay.toUrl(target, (near, far) => line.#carry(near, far))
    return line
  }

  /** Where the near end of the line is. */
  get url(): string {
    return this.#relay?.url ?? ''
  }

  async close(): Promise<void> {
    await this.#relay?.cut()
  }

  /** How many calls it has broken off. */
  get breaks(): number {
    return this.#breaks
  }

  /** Breaks off every call to `path` from now on, however often it is sent again. */
  cut(path: string, cut: Cut): void {
    this.#broken = { path, cut }
  }

  mend(): void {
    this.#broken = null
  }

  /** Nobody sends a request before the answer to the last one is there, so one at a time is enough. */
  #carry(near: Socket, far: Socket): void {
    let sent = NOTHING
    let answer = NOTHING
    let cut: Cut | null = null
    near.on('data', piece => {
      sent = Buffer.concat([sent, piece])
      const length = messageLength(sent)
      if (sent.length < length) return
      cut = this.#cutOf(sent)
      if (cut === 'before the request') return this.#breakOff(near, NOTHING)
      far.write(sent)
      sent = NOTHING
    })
    far.on('data', piece => {
      if (cut === null) return void near.write(piece)
      answer = Buffer.concat([answer, piece])
      if (answer.length >= messageLength(answer)) this.#breakOff(near, answer.subarray(0, cutAt(answer, cut)))
    })
    // A connection that ends at one end, however, ends at the other.
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }

  #cutOf(request: Buffer): Cut | null {
    const [, path = ''] = request.toString('latin1', 0, request.indexOf('\r\n')).split(' ')
    return path === this.#broken?.path ? this.#broken.cut : null
  }

  #breakOff(near: Socket, part: Buffer): void {
    this.#breaks += 1
    if (part.length === 0) near.resetAndDestroy()
    // Reset, the part might be dropped on its way.
    else near.end(part, () => near.destroy())
  }
}

/** The length of the message that begins here, as far as can be told; more than there is while its head is not. */
function messageLength(message: Buffer): number {
  const headEnd = message.indexOf(HEAD_END)
  if (headEnd < 0) return Number.POSITIVE_INFINITY
  const [, length = '0'] = /^content-length: (\d+)$/im.exec(message.toString('latin1', 0, headEnd)) ?? []
  return headEnd + HEAD_END.length + Number(length)
}

/** The worst place in the head is in the value of a cookie: without TLS, a browser takes the half of it. */
function cutAt(answer: Buffer, cut: Cut): number {
  if (cut === 'before the answer') return 0
  const bodyAt = answer.indexOf(HEAD_END) + HEAD_END.length
  if (cut === 'in the body of the answer') return Math.floor((bodyAt + answer.length) / 2)
  const cookie = /^set-cookie: [^;]*/im.exec(answer.toString('latin1', 0, bodyAt))
  return cookie ? cookie.index + cookie[0].length - 10 : Math.floor(bodyAt / 2)
}
