import type { BrowserContext } from '@playwright/test'

/** Collects what goes wrong unseen in a test's pages: errors, breaches of the policy, requests to other sites. */
export class Complaints {
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
      if (['error', 'warning'].includes(message.type())) this.#heard.push(message.text())
    })
    context.on('weberror', error => this.#heard.push(String(error.error())))
    context.on('request', request => {
      if (new URL(request.url()).origin !== origin) this.#heard.push(`Asked another site: ${request.url()}`)
    })
  }
}
