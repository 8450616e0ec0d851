import type { Round } from '../../../contract/api.ts'
import { Client } from '../../support/client.ts'

export const PASSWORD = 'a long enough password'

/** Who sends requests. */
export const ROLES = ['nobody', 'guest', 'member', 'forger'] as const
export type Role = (typeof ROLES)[number]

let accounts = 0

/** A sender with something to lose: a round in hand, perhaps an account. */
interface Actor {
  readonly client: Client
  readonly username: string
  round: Round
  start: string
}

/** The senders of a run, each of whom comes back in another shape when a request has ended it. */
export class Cast {
  readonly #url: string
  readonly #actors = new Map<Role, Actor>()

  constructor(url: string) {
    this.#url = url
  }

  async client(role: Role): Promise<Client> {
    if (role === 'nobody') return new Client(this.#url)
    return (await this.#actor(role)).client
  }

  /** The sender's real value of a property, where there is one. */
  async own(role: Role, property: string): Promise<string | undefined> {
    if (role === 'nobody') return undefined
    const { round, start, username } = await this.#actor(role)
    const values: Readonly<Record<string, string>> = {
      round: round.token,
      start,
      username,
      password: PASSWORD,
    }
    return values[property]
  }

  /** After a request that has changed who the sender is, or which round is theirs. */
  recast(role: Role): void {
    this.#actors.delete(role)
  }

  async #actor(role: Role): Promise<Actor> {
    const known = this.#actors.get(role)
    if (known) return known
    const actor = await this.#makeActor(role)
    this.#actors.set(role, actor)
    return actor
  }

  async #makeActor(role: Role): Promise<Actor> {
    const client = new Client(this.#url)
    const username = `Cast ${++accounts}`
    if (role === 'member') await client.createAccount(username, PASSWORD)
    const { round } = await client.session()
    const start = await client.start(round)
    if (role === 'forger')
      for (const [name, value] of client.cookies) client.cookies.set(name, `${value.slice(0, -3)}AAA`)
    return { client, username, round, start }
  }
}
