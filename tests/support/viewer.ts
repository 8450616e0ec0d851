import { LIVE_PING, type LiveBodies, type LivePart, type LivePing } from '../../contract/live.ts'

export interface LiveEvent {
  readonly part: LivePart
  readonly body: LiveBodies[LivePart]
}

export class Viewer {
  readonly events: LiveEvent[] = []
  readonly pings: LivePing[] = []
  /** The arrival times of the stream's chunks, in monotonic ms. */
  readonly arrivals: number[] = []
  readonly response: Response
  /** Resolves when the server or the viewer has ended the stream. */
  readonly ended: Promise<void>
  readonly #abort: AbortController

  private constructor(response: Response, abort: AbortController) {
    this.response = response
    this.#abort = abort
    this.ended = this.#read().catch(() => undefined)
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<Viewer> {
    const abort = new AbortController()
    return new Viewer(await fetch(`${url}/api/live`, { headers, signal: abort.signal }), abort)
  }

  latest<Part extends LivePart>(part: Part): LiveBodies[Part] | undefined {
    const event = this.events.findLast(event => event.part === part)
    return event?.body as LiveBodies[Part] | undefined
  }

  count(part: LivePart): number {
    return this.events.filter(event => event.part === part).length
  }

  async close(): Promise<void> {
    this.#abort.abort()
    await this.ended
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder()
    let text = ''
    for await (const piece of this.response.body ?? []) {
      this.arrivals.push(performance.now())
      text += decoder.decode(piece, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) this.#take(block)
    }
  }

  #take(block: string): void {
    const [, part, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
    if (part === LIVE_PING && data) this.pings.push(JSON.parse(data))
    else if (part && data) this.events.push({ part: part as LivePart, body: JSON.parse(data) })
  }
}
