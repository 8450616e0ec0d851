import { expect, vi } from 'vitest'
import { ENDPOINTS } from '../../contract/api.ts'
import type { Connection } from '../../server/database/connection.ts'
import { hashSessionToken, newSessionToken } from '../../server/people/sessions.ts'
import { CheckedClient } from './checked-client.ts'
import { withClient } from './connect.ts'
import type { TestDatabase } from './database.ts'
import { startGame, type TestGame } from './game.ts'
import {
  collectPlans,
  type Explained,
  explaining,
  keepLeast,
  mostOf,
  type Plans,
  touchesTables,
} from './plans.ts'
import { Viewer } from './viewer.ts'

const PASSWORD = 'correct horse battery'
/** The id of the account with the most attempts. */
export const REGULAR = 1
/** A part of the statement that the server runs by itself, for expired holds. */
const OWN_STATEMENT = 'from holds where ended_at is null and held_until <= now()'

/** A node that reports the plan of each of its statements. */
export class Observed {
  readonly #connection: Connection
  readonly #node: TestGame
  readonly #viewer: Viewer
  readonly #explained: Explained[]
  readonly plans: Plans = new Map()

  private constructor(connection: Connection, node: TestGame, viewer: Viewer, explained: Explained[]) {
    this.#connection = connection
    this.#node = node
    this.#viewer = viewer
    this.#explained = explained
  }

  static async open({ connection }: TestDatabase): Promise<Observed> {
    await withClient(connection, async client => {
      for (const setting of await explaining(client)) await client.query(setting)
    })
    const node = await startGame(connection)
    const explained = collectPlans(node.app.database)
    return new Observed(connection, node, await Viewer.open(node.url), explained)
  }

  /**
   * Calls every endpoint as a newcomer and as the account `REGULAR`, then waits for the server's own
   * statement.
   */
  async pass(name: string): Promise<void> {
    await callEveryEndpoint(this.#node.url, await this.#regular(), name)
    await vi.waitUntil(() => this.#explained.some(({ text }) => text.includes(OWN_STATEMENT)), {
      timeout: 60_000,
    })
    keepLeast(this.plans, mostOf(this.#explained.splice(0).filter(touchesTables)))
  }

  async close(): Promise<void> {
    const figures = await this.#node.app.metrics.registry.metrics()
    for (const { url } of Object.values(ENDPOINTS)) expect(figures).toContain(`route="${url}"`)
    await this.#viewer.close()
    await this.#node.close()
  }

  async #regular(): Promise<CheckedClient> {
    const token = newSessionToken()
    await withClient(this.#connection, client =>
      client.query(
        `insert into sessions (token_hash, user_id, expires_at)
        select $1, id, now() + '1 hour' from users where id = $2`,
        [hashSessionToken(token), REGULAR],
      ),
    )
    const browser = new CheckedClient(this.#node.url)
    browser.cookies.set('taps-session', token)
    return browser
  }
}

async function callEveryEndpoint(url: string, regular: CheckedClient, name: string): Promise<void> {
  const newcomer = new CheckedClient(url)
  await play(newcomer, 500)
  await play(newcomer, 0)
  await newcomer.session()
  await newcomer.createAccount(name, PASSWORD)
  for (const client of [newcomer, regular]) {
    await play(client, 20)
    await client.get('/api/attempts/mine')
    await client.post('/api/claim')
    await client.session()
  }
  for (const path of ['/api/attempts', '/api/leaderboard', '/api/prize-pool', '/readyz']) {
    await regular.get(path)
  }
  await newcomer.post('/api/logout')
  await newcomer.login(name, PASSWORD)
  await newcomer.post('/api/password', { password: PASSWORD, new_password: `${PASSWORD}!` })
  await newcomer.post('/api/users/delete', { password: `${PASSWORD}!` })
}

/** Plays a round, again if a busy machine answers 503. */
async function play(client: CheckedClient, differenceMs: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { round } = await client.session()
      expect((await client.play(round, differenceMs)).status).toBe(201)
    },
    { timeout: 60_000 },
  )
}
