import { createStore } from '../lib/store.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

const RENEW_MS = 60_000

/**
 * The URL that others can open; null when only this machine can reach the game. The server names the URL in the
 * page's head: `PUBLIC_URL`, or an address of the network when the page was opened on the server's own machine.
 */
export const joinAddress = createStore<string | null>(null)

/** Reads the address, and on the server's own machine again every minute, because it may move to another network. */
export function watchJoinAddress(): void {
  joinAddress.set(addressIn(document))
  if (!isLoopback()) return
  setInterval(async () => {
    const page = document.hidden ? null : await readPage().catch(() => null)
    if (page !== null) joinAddress.set(addressIn(page))
  }, RENEW_MS)
}

function addressIn(page: Document): string | null {
  const named = page.querySelector<HTMLMetaElement>('meta[name="join"]')?.content
  if (named) return named
  return isLoopback() ? null : location.origin
}

function isLoopback(): boolean {
  return LOOPBACK.test(location.hostname)
}

/** Returns the game's page as the server answers now; null for the page of a portal or a proxy. */
async function readPage(): Promise<Document | null> {
  const answer = await fetch('/', { cache: 'no-store', redirect: 'error' })
  if (!answer.ok) return null
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  return page.querySelector('meta[property="og:site_name"][content="TAPS"]') === null ? null : page
}
