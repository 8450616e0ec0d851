import { type BrowserContext, type BrowserContextOptions, test as base, expect } from '@playwright/test'
import { Player } from '../support/page-player.ts'
import { type GameServer, type Settings, startServer } from './server.ts'

/** Collects console errors and warnings, uncaught errors, and requests to other sites from a test's pages. */
class Complaints {
  readonly #messages: string[] = []
  readonly #expected: RegExp[] = []

  /** Allows messages that match `pattern`, because the test itself causes them. */
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
  /** The worker's server, with a new game. */
  readonly server: GameServer
  /** The complaints of all pages. An unexpected complaint fails the test. */
  readonly complaints: Complaints
  /** Creates a player in a browser context without cookies, at the worker's server or at `baseURL`. */
  readonly visit: (options?: BrowserContextOptions) => Promise<Player>
  /** A player whose browser has opened the page. */
  readonly player: Player
  /** Environment variables for `ownServer`, in addition to the defaults of `ServerNode`. */
  readonly settings: Settings
  /** A server that only this test uses and may halt. */
  readonly ownServer: GameServer
}

interface WorkerFixtures {
  /** A server for all tests of a worker, because a start takes a second. */
  readonly workerServer: GameServer
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  workerServer: [
    async ({ browserName: _ }, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  server: async ({ workerServer }, use) => {
    await workerServer.clear()
    await use(workerServer)
    await workerServer.audit()
  },
  settings: [{}, { option: true }],
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
    await Promise.all(browser.contexts().map(closeContext))
  },
  player: async ({ visit }, use) => {
    const player = await visit()
    await player.open()
    await use(player)
  },
})

/** Closes a browser context. A handler that is still changing an answer neither fails nor reaches the page. */
async function closeContext(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    // Ends the page's requests, which would otherwise reach the server once no handler holds them back.
    await page.goto('about:blank')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
  await context.close()
}

export { expect }
