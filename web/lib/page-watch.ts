/** What `web/public/start.js` offers to the page's module; missing where a filter blocks that script. */
interface PageWatch {
  /** Ends the watch over the page's files. Returns false when one of them is missing. */
  begin(): boolean
  /** Ends all tries, because the page is complete. */
  done(): void
  /** Says that a part is missing, and reloads the page until it comes. */
  fail(): void
}

declare global {
  var tapsStart: PageWatch | undefined
}

/** Returns false when the page lacks a part and is about to reload. */
export function beginPage(): boolean {
  return globalThis.tapsStart?.begin() ?? true
}

export function pageIsComplete(): void {
  globalThis.tapsStart?.done()
}

export function pageIsIncomplete(): void {
  globalThis.tapsStart?.fail()
}
