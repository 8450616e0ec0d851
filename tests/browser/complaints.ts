import type { BrowserContext } from '@playwright/test'

/** What goes wrong in the background of a test's pages: errors, breaches of the policy, requests to other sites. */
export class Complaints {
  readonly #heard: string[] = []
  readonly #expected: RegExp[] = []

  /** This test makes a browser say so. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern)
  }

  get unexpected(): readonly string[] {
    return this.#heard.filter(line => !this.#expected.some(pattern => pattern.test(line)))
  }

  /** Listens to every page of a browser, whose own site is `origin`. */
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
