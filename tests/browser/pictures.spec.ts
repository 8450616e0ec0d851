import type { Player } from '../support/page-player.ts'
import { expect, LONG, test } from './test.ts'

/**
 * The main states beside the pictures in `pictures/`. What differs from run to run or from system to system is
 * masked: times, the emoji, the countdown. Another system sets the edges of letters a little differently, which is
 * up to 1 % of the pixels here; a card, a button or a line that is missing, moved or of another colour is more
 * than 2 %. After a wanted change: `npm test -- e2e tests/browser/pictures.spec.ts --update-snapshots`, and look at them.
 */
const TOLERANCE = { threshold: 0.3, maxDiffPixelRatio: 0.02 }

const MASKED = [
  ...[
    '.target-time',
    '.elapsed',
    '.figure-above',
    '.rail',
    '.last-win',
    '.outcome:not([hidden]) dd',
    '.feedback',
  ],
  ...['.times', '.claim-line', '.timing-line b'],
]

interface Look {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}
const LIGHT: Look = { width: 360, colorScheme: 'light' }
const DARK: Look = { width: 1_280, colorScheme: 'dark' }

// By turns, so that `npm test` sees both looks and all states.
for (const { one, other, length } of [
  { one: DARK, other: LIGHT, length: {} },
  { one: LIGHT, other: DARK, length: LONG },
]) {
  const title = `the main states look as they did, idle and login ${one.colorScheme}, the others ${other.colorScheme}`
  test(title, length, async ({ visit, ownServer }) => {
    const player = await visit({ baseURL: ownServer.url })
    await player.open()
    await player.page.evaluate('document.fonts.ready')
    await player.username.fill('Swift Heron 412')
    await player.username.blur()
    await expect(player.page.getByText('live', { exact: true })).toBeVisible()
    await compare(player, 'idle', one)
    await player.play(250)
    await expect(player.attempts).toHaveCount(1)
    await compare(player, 'result', other)
    await player.button('Login').click()
    await compare(player, 'login', one)
    await player.button('Cancel').click()
    await player.win(38)
    await compare(player, 'claim', other)
    await player.page.close()
  })
}

async function compare(player: Player, state: string, { width, colorScheme }: Look): Promise<void> {
  const { page } = player
  await expect(page.locator('canvas')).toHaveCount(0)
  await page.mouse.move(0, 0)
  await page.setViewportSize({ width, height: 860 })
  await page.emulateMedia({ colorScheme })
  await player.settle()
  await expect(page).toHaveScreenshot(`${state}-${width}-${colorScheme}.png`, {
    ...TOLERANCE,
    mask: MASKED.map(selector => page.locator(selector)),
    maskColor: '#888',
  })
}
