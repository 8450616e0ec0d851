import type { Page, Request } from '@playwright/test'
import { Client } from '../support/client.ts'
import { Player } from '../support/page-player.ts'
import { BrokenLine, type Cut } from '../support/relay.ts'
import { test as base, expect } from './test.ts'

interface Fixtures {
  /** The way from the browsers of a test to the server. */
  readonly line: BrokenLine
  /** Somebody at the near end of the line whose first round is a short one. */
  readonly winner: Player
}

/** An attempt whose Start was late waits until it cannot be too fast, so a short target is a short wait. */
const SHORT_TARGET_S = 1.2

/** What a browser says when a call is cut off. */
export const LOST = /net::ERR_(CONNECTION_RESET|CONTENT_LENGTH_MISMATCH)/

/** Little to draw: what counts here is what is said. */
export const PHONE = { viewport: { width: 360, height: 640 }, reducedMotion: 'reduce' } as const

export const test = base.extend<Fixtures>({
  line: async ({ server }, use) => {
    const line = await BrokenLine.open(server.url)
    await use(line)
    await line.close()
  },
  winner: async ({ line, server, visit, complaints }, use) => {
    complaints.expect(LOST)
    const storageState = { cookies: await cookiesOfShortTarget(server.url), origins: [] }
    const winner = await visit({ ...PHONE, baseURL: line.url, storageState })
    await winner.open()
    await use(winner)
  },
})

/** The cookies of a newcomer whose first target is short. */
export async function cookiesOfShortTarget(url: string) {
  for (;;) {
    const client = new Client(url)
    const { round } = await client.session()
    if (round.target_time > SHORT_TARGET_S) continue
    return Array.from(client.cookies, ([name, value]) => ({
      name,
      value,
      domain: new URL(url).hostname,
      path: '/',
      expires: Date.now() / 1_000 + 3_600,
      httpOnly: true,
      secure: false,
      sameSite: 'Strict' as const,
    }))
  }
}

/** A call that is cut off, and what makes the page send it. */
interface Loss {
  readonly line: BrokenLine
  readonly path: string
  readonly cut: Cut
  readonly act?: (player: Player) => Promise<unknown>
}

/** Cuts a call off, again and again, until the page has noticed. */
export async function lose(player: Player, { line, path, cut, act }: Loss): Promise<void> {
  const { page } = player
  const isIt = (request: Request) => new URL(request.url()).pathname === path
  line.cut(path, cut)
  // Half a head is taken for a whole one: that call ends well, but without its body.
  const noticed = [page.waitForEvent('requestfailed', isIt), page.waitForEvent('requestfinished', isIt)]
  await act?.(player)
  await Promise.race(noticed)
  line.mend()
}

/** How a person leaves a page and comes back to it; returns as soon as the old page is no more. */
export type Leave = (page: Page) => Promise<Page>

export const reload: Leave = async page => {
  await page.reload({ waitUntil: 'commit' })
  return page
}

export const reopen: Leave = async page => {
  const context = page.context()
  await page.close()
  const next = await context.newPage()
  await next.goto('/', { waitUntil: 'commit' })
  return next
}

/** Cuts a call off, again and again, until the person has left; returns them on their next page. */
export async function loseAndLeave(
  player: Player,
  { line, path, cut, act }: Loss,
  leave: Leave,
): Promise<Player> {
  const { breaks } = line
  line.cut(path, cut)
  await act?.(player)
  await expect.poll(() => line.breaks, { intervals: [10] }).toBeGreaterThan(breaks)
  const next = await leave(player.page)
  line.mend()
  return new Player(next)
}
