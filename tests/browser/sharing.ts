import type { Page } from '@playwright/test'

/** Collects what the page shares from its next load on, in place of the device's share sheet. */
export async function collectShared(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.shared = []
    navigator.share = async given => { shared.push(given) }`)
}

/** Returns what the page has shared first. */
export function firstShared(page: Page): Promise<{ text: string; url: string }> {
  return page.evaluate('shared[0]')
}
