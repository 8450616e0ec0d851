/**
 * Adds or replaces a history entry. Safari refuses more than 100 within 30 s, and sandboxes refuse all; the page
 * then goes on without the entry.
 */
export function writeEntry(how: 'pushState' | 'replaceState', state: unknown, url?: string): void {
  try {
    history[how](state, '', url)
  } catch {
    // Back leaves the page then, and the address stays.
  }
}
