import { type BrowserContext, type BrowserContextOptions, test as base, expect } from '@playwright/test'
import { Player } from '../support/page-player.ts'
import { type GameServer, type Settings, startServer, WorkerServer } from './server.ts'

/** Collects console errors and warnings, uncaught errors, and requests to other sites from a test's pages. */
class Complaints {
  readonly #messages: string[] = []
  readonly #expected: RegExp[] = []

  /** Allows the messages that match `pattern`, which the test causes itself. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern)
  }

  get unexpected(): readonly string[] {
    return this.#messages.filter(line => !this.#expected.some(pattern => pattern.test(line)))
  }

  /** @param origin - The pages' own site; requests elsewhere are complaints. */
  listen(context: BrowserContext, origin: string): void {
    context.on('console', message => {
      const { pathname } = new URL(message.location().url, origin)
      if (['error', 'warning'].includes(message.type())) this.#messages.push(`${message.text()} ${pathname}`)
    })
    context.on('weberror', error => this.#messages.push(String(error.error())))
    context.on('request', request => {
      if (new URL(request.url()).origin !== origin)
        this.#messages.push(`Request to another site: ${request.url()}`)
    })
  }
}

interface TestFixtures {
  /** Environment variables of the server, on top of the test defaults, which turn off clock checks. */
  readonly settings: Settings
  /** The server and database that all tests of a file share. */
  readonly server: GameServer
  /** Fails the test when one of its pages causes an unexpected complaint. */
  readonly complaints: Complaints
  /** Creates a browser context without cookies, for this file's server or for `baseURL`. */
  readonly visit: (options?: BrowserContextOptions) => Promise<Player>
  /** A player whose browser has opened the page. */
  readonly player: Player
  /** A server for one test, so that the test may halt the server. */
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
    expect(complaints.unexpected, 'unexpected messages or requests of the page').toEqual([])
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
