/**
 * The address that the server names in the page's head: `PUBLIC_URL`, or an address of the network when the
 * page was opened on the server's own machine.
 */
const NAMED = document.querySelector<HTMLMetaElement>('meta[name="join"]')?.content

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Returns the URL that a phone can open; null when only this machine can reach the game. */
export function joinUrl(): string | null {
  if (NAMED) return NAMED
  return LOOPBACK.test(location.hostname) ? null : location.origin
}
