import type { LiveBodies, LivePart } from '../../contract/live.ts'

/** One event of the stream. */
export interface LiveEvent {
  readonly part: LivePart
  readonly body: LiveBodies[LivePart]
}

/** A viewer of the live stream. */
export class Viewer {
  readonly events: LiveEvent[] = []
  /** When each piece of the stream arrived, monotonic ms. */
  readonly arrivals: number[] = []
  readonly response: Response
  /** Resolves when the stream has ended, by either side. */
  readonly ended: Promise<void>
  readonly #abort: AbortController

  private constructor(response: Response, abort: AbortController) {
    this.response = response
    this.#abort = abort
    this.ended = this.#read().catch(() => undefined)
  }

  /** Resolves once the stream has begun. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<Viewer> {
    const abort = new AbortController()
    return new Viewer(await fetch(`${url}/api/live`, { headers, signal: abort.signal }), abort)
  }

  /** The newest body of a part. */
  latest<Part extends LivePart>(part: Part): LiveBodies[Part] | undefined {
    const event = this.events.findLast(event => event.part === part)
    return event?.body as LiveBodies[Part] | undefined
  }

  /** How many events of a part have come. */
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
    if (part && data) this.events.push({ part: part as LivePart, body: JSON.parse(data) })
  }
}
