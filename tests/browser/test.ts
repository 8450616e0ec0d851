import { type BrowserContext, type BrowserContextOptions, test as base, expect } from '@playwright/test'
import { Player } from '../support/page-player.ts'
import { type GameServer, type Settings, startServer, WorkerServer } from './server.ts'

/** Collects what goes wrong unseen in a test's pages: errors, breaches of the policy, requests to other sites. */
class Complaints {
  readonly #heard: string[] = []
  readonly #expected: RegExp[] = []

  /** Declares a complaint that this test causes. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern)
  }

  get unexpected(): readonly string[] {
    return this.#heard.filter(line => !this.#expected.some(pattern => pattern.test(line)))
  }

  /** Listens to all pages of a browser; `origin` is their own site. */
  listen(context: BrowserContext, origin: string): void {
    context.on('console', message => {
      const { pathname } = new URL(message.location().url, origin)
      if (['error', 'warning'].includes(message.type())) this.#heard.push(`${message.text()} ${pathname}`)
    })
    context.on('weberror', error => this.#heard.push(String(error.error())))
    context.on('request', request => {
      if (new URL(request.url()).origin !== origin) this.#heard.push(`Asked another site: ${request.url()}`)
    })
  }
}

interface TestFixtures {
  /** Environment variables of the server, added to those that let rounds take no real time. */
  readonly settings: Settings
  /** One server and one database for the tests of a file; each test comes with browsers of its own. */
  readonly server: GameServer
  /** Fails the test at its end when a page complained unexpectedly. */
  readonly complaints: Complaints
  /** Opens a browser of its own, without cookies, at the server of this file or at `baseURL`. */
  readonly visit: (options?: BrowserContextOptions) => Promise<Player>
  /** A browser that has opened the page. */
  readonly player: Player
  /** A server for one test alone, which may halt it. */
  readonly ownServer: GameServer
}

interface WorkerFixtures {
  readonly workerServer: WorkerServer
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  workerServer: [
    async ({ browserName: _ }, use) => {
      const workerServer = new WorkerServer()
      await use(workerServer)
      await workerServer.close()
    },
    { scope: 'worker' },
  ],
  settings: [{}, { option: true }],
  server: async ({ workerServer, settings }, use, { file }) => {
    const server = await workerServer.open(file, settings)
    await use(server)
    await server.audit()
  },
  ownServer: async ({ settings }, use) => {
    const server = await startServer(settings)
    await use(server)
    await server.audit().finally(server.stop)
  },
  complaints: async ({ server: _ }, use) => {
    const complaints = new Complaints()
    await use(complaints)
    expect(complaints.unexpected, 'complaints of the page').toEqual([])
  },
  visit: async ({ browser, server, complaints }, use) => {
    await use(async options => {
      const context = await browser.newContext({ baseURL: server.url, colorScheme: 'dark', ...options })
      complaints.listen(context, options?.baseURL ?? server.url)
      return new Player(await context.newPage())
    })
    await Promise.all(browser.contexts().map(context => context.close()))
  },
  player: async ({ visit }, use) => {
    const player = await visit()
    await player.open()
    await use(player)
  },
})

export { expect }
