import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { Client } from '../support/client.ts'
import type { Player } from '../support/page-player.ts'
import { collectShared, firstShared } from './sharing.ts'
import { expect, test } from './test.ts'

/** Lets the browser refuse sharing and copying, as over plain HTTP or by a permission policy. */
const REFUSE = `
  navigator.share = async () => { throw new DOMException('', 'NotAllowedError') }
  if (navigator.clipboard) navigator.clipboard.writeText = async () => { throw new DOMException('', 'NotAllowedError') }`

/** The places of a friend's distance on the rail, in percent. */
const MARKS = `Array.from(document.querySelectorAll('.rival'), mark => Math.round(parseFloat(mark.style.left)))`

const second = (player: Player) => player.region('Result').locator('.second')
const address = (page: Page) => page.evaluate<string>('location.href')

test('a shared result dares a friend until the friend is closer, and leaves the address', async ({
  visit,
  server,
}) => {
  const sender = await visit()
  await collectShared(sender.page)
  await sender.open()
  await sender.username.fill('mira')
  await sender.play(-130)
  await sender.button('Share').click()
  const { url } = await firstShared(sender.page)
  expect(url).toMatch(/\/#by=mira&beat=0\.130$/)

  const friend = await visit()
  const { page } = friend
  await collectShared(page)
  await page.goto(url)
  await expect(friend.startButton).toBeEnabled()
  await expect(page.getByText('was 0.130 s off the target. Closer?')).toBeVisible()
  expect(await page.locator('.rule bdi').innerText()).toBe('mira')
  expect(await address(page)).not.toContain('beat')
  expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([])

  await friend.play(-215)
  await expect(second(friend)).toHaveText('mira was 0.085 s closer')
  await friend.play(130)
  await expect(second(friend), 'a tie comes before a best').toHaveText('As close as mira')
  await expect(page.locator('.rival')).toHaveCount(0)
  await friend.play(-120)
  await expect(second(friend)).toHaveText('You beat mira by 0.010 s')
  await friend.settle()
  expect(await page.evaluate(MARKS), "mira's distance on both sides").toEqual([37, 63])
  await friend.button('Dare mira back').click()
  expect((await firstShared(friend.page)).url).toMatch(/#by=.*&beat=0\.120$/)
  await new Client(server.url).play(38)
  await expect(second(friend)).toContainText('just took the')
  expect(await page.evaluate(MARKS), 'stay when another player wins').toEqual([37, 63])
  await friend.play(-150)
  await expect(friend.region('Result')).not.toContainText('mira')
  await page.reload()
  await expect(friend.startButton).toBeEnabled()
  await expect(page.getByText('Closer?')).toHaveCount(0)
})

test('a link opened in an open page dares too, and the fragment of a stranger shows nothing else', async ({
  player,
}) => {
  const { page } = player
  const open = (hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  const hostile = '#by=%3Cb%3Emira&beat=0.130'
  await open(hostile)
  expect(await address(page)).toContain(hostile)
  await expect(page.getByText('Closer?')).toHaveCount(0)
  await open('#by=Mira%20%26%20Co%2E&amp;beat=0.041&utm_source=chat')
  await expect(page.getByText('was 0.041 s off the target. Closer?')).toBeVisible()
  await expect(page.locator('.rule bdi')).toHaveText('Mira & Co.')
  expect(await address(page)).not.toContain('#')
})

/** Describes the lines below the boxes that leave the stage. */
const OUTSIDE = `(() => {
  const stage = document.querySelector('.stage').getBoundingClientRect()
  return Array.from(document.querySelectorAll('.rule, .rule bdi, .feedback, .second, .second bdi')).flatMap(part => {
    const { left, right, bottom } = part.getBoundingClientRect()
    return left < stage.left || right > stage.right || bottom > stage.bottom ? [part.textContent] : []
  })
})()`

const LONG_NAMES = ['W'.repeat(32), '漢'.repeat(32), 'א'.repeat(32), '👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇪🇺'.repeat(3)]

const PHONES = [
  { width: 320, height: 568 },
  { width: 390, height: 664 },
  { width: 667, height: 375 },
  { width: 844, height: 390 },
  { width: 1_024, height: 768 },
]

test('a long name in a dare leaves the lines about it on the stage', async ({ visit }) => {
  const player = await visit({ reducedMotion: 'reduce' })
  const { page } = player
  const check = async (state: string) => {
    for (const size of PHONES) {
      await page.setViewportSize(size)
      expect(await player.settle<string[]>(OUTSIDE), `${state}, ${size.width}x${size.height}`).toEqual([])
    }
  }
  for (const name of LONG_NAMES) {
    await page.goto('about:blank')
    await page.goto(`/#beat=0.250&by=${encodeURIComponent(name)}`)
    await expect(page.getByText('Closer?')).toBeVisible()
    await check('idle')
    await player.play(420)
    await expect(second(player)).toContainText(/closer|best|average/)
    await check('not beaten')
    await player.play(222)
    await expect(second(player)).toContainText('You beat')
    await check('beaten')
  }
})

test('a browser that refuses to share and to copy shows the text to copy; Escape plays again', async ({
  visit,
}) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript(REFUSE)
  await player.open()
  await player.play(-412)
  await player.button('Share').click()
  const field = page.getByRole('textbox', { name: 'Result to copy' })
  await expect(field).toBeFocused()
  expect(await page.evaluate('getSelection().toString()')).toMatch(
    /0\.412 off\..*#by=\w+(%20\w+)+&beat=0\.412$/,
  )
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  await page.keyboard.press('Space')
  await expect(player.stopButton).toBeVisible()
})

/** A phone in both orientations: the strip is below the button, or beside the stage. */
const SMALLEST = [
  [320, 568],
  [667, 375],
] as const

/** Whether the summary of a hand takes one line, and stays inside the card. */
const SUMMARY = `(() => {
  const card = document.querySelector('.card.game').getBoundingClientRect()
  const parts = Array.from(document.querySelectorAll('.timing-summary span'), part => part.getBoundingClientRect())
  return {
    isOneLine: parts.every(({ top }) => top === parts[0].top),
    isInside: parts.every(({ right, bottom }) => right < card.right && bottom < card.bottom),
  }
})()`

test('five rounds fill a hand, whose average stands until the next round is recorded', async ({ visit }) => {
  const player = await visit()
  const { page } = player
  const timing = player.region('Your timing')
  const squares = timing.locator('.squares > *')
  const filled = timing.locator('.squares > [data-closeness]')
  await player.open()
  await expect(squares).toHaveCount(5)
  await expect(filled).toHaveCount(0)
  for (const [index, differenceMs] of [-210, 310, -400, 150, 230].entries()) {
    await player.play(differenceMs)
    await expect(filled).toHaveCount(index + 1)
  }
  await expect(squares).toHaveCount(5)
  await expect(timing.locator('.timing-summary')).toContainText('0.260 s average')
  await expect(timing.locator('.timing-summary')).toContainText('best 0.150 s')
  await expect(second(player)).toHaveText('0.260 s average, 1st today')
  await page.reload()
  await expect(timing.locator('.timing-summary')).toContainText('0.260 s average')
  await expect(second(player), 'the end of a hand is announced once').toHaveCount(0)
  await expect(timing.locator('.squares')).toHaveAttribute('data-pops', 'false')
  await player.play(-300)
  await expect(filled).toHaveCount(1)
  await expect(timing).not.toContainText('average')
  for (const differenceMs of [300, -300, 300, -300]) await player.play(differenceMs)
  await expect(timing.locator('.timing-summary')).toContainText('0.300 s average, 0.260 before')
  for (const [width, height] of SMALLEST) {
    await page.setViewportSize({ width, height })
    expect(await player.settle(SUMMARY), `${width}x${height}`).toEqual({
      isOneLine: width < height,
      isInside: true,
    })
  }
})
