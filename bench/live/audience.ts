import { Helper } from '../helper.ts'
import type { Heard } from './listener.ts'
import type { Job } from './viewers.ts'

/** Viewers in a process of their own. */
export class Audience {
  readonly #process = new Helper<Job, Heard | null>(new URL('viewers.ts', import.meta.url))

  /** Opens streams until there are this many; resolves when each has been answered. */
  async open(url: string, viewers: number): Promise<void> {
    await this.#process.do({ act: 'open', url, viewers })
  }

  /** @throws Error when a stream was closed */
  async watch(seconds: number): Promise<Heard> {
    const heard = await this.#process.do({ act: 'watch', seconds })
    if (!heard) throw new Error('The viewers heard nothing')
    return heard
  }

  close(): Promise<void> {
    return this.#process.close()
  }
}
