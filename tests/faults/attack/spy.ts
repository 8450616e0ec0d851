import type { AttemptList, Session } from '../../../contract/api.ts'
import type { Client } from '../../support/client.ts'

/** Somebody with a copy of a guest's cookie, who keeps asking what it shows. */
export class Spy {
  readonly #guest: Client
  readonly #guestName: string
  /** What the copy was shown of an account: must stay empty. */
  readonly leaks = new Set<string>()
  polls = 0

  /**
   * @param guest the browser whose cookies are copied, as they are now
   * @param guestName the name that the guest plays under, which no account has
   */
  constructor(guest: Client, guestName: string) {
    this.#guest = guest.copy()
    this.#guestName = guestName
  }

  /** A browser with the copied cookies; what its answers set does not come back to the spy. */
  copy(): Client {
    return this.#guest.copy()
  }

  /** Keeps asking while an act is under way. */
  async during(act: () => Promise<unknown>): Promise<void> {
    let isOver = false
    const watching = (async () => {
      while (!isOver) await this.poll()
    })()
    await act().finally(() => {
      isOver = true
      return watching
    })
  }

  /** Asks once. Returns what is held for the copied guest, and how many attempts it is shown. */
  async poll(): Promise<{ held: number; attempts: number }> {
    const [session, mine] = await Promise.all([
      this.copy().get<Session>('/api/session'),
      this.copy().get<AttemptList>('/api/attempts/mine'),
    ])
    this.polls += 1
    const { user, rank, prize } = session.body
    if (user || rank !== null) this.leaks.add(`is ${user?.username} with rank ${rank}`)
    if (session.headers.getSetCookie().some(line => /session=[^;]/.test(line)))
      this.leaks.add('has a session')
    const { attempts } = mine.body
    for (const { id, username, is_guest } of attempts) {
      if (!is_guest || username !== this.#guestName) this.leaks.add(`sees attempt ${id} of ${username}`)
    }
    return { held: prize?.taps ?? 0, attempts: attempts.length }
  }
}
