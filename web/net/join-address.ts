const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Returns the URL that a phone can open; null when only this machine can reach the game. The server names the URL
 * in the page's head: `PUBLIC_URL`, or an address of the network when the page was opened on the server's own
 * machine.
 */
export function joinUrl(page: Document = document): string | null {
  const named = page.querySelector<HTMLMetaElement>('meta[name="join"]')?.content
  if (named) return named
  return LOOPBACK.test(location.hostname) ? null : location.origin
}
