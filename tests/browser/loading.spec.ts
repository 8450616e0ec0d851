import { expect, test } from './test.ts'

test('the page says "Loading..." until the session is there', async ({ visit }) => {
  const { page, startButton } = await visit()
  let answer = (): void => undefined
  const held = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route('**/api/session', async route => {
    await held
    await route.continue()
  })
  await page.goto('/')
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'TAPS' })).toBeVisible()
  await expect(startButton).toBeHidden()

  answer()
  await expect(startButton).toBeEnabled()
  await expect(page.getByText('Loading...')).toBeHidden()
})

test('the page says that the server cannot be reached, goes on trying, and recovers', async ({
  visit,
  complaints,
}) => {
  complaints.expect(/net::ERR_CONNECTION_REFUSED/)
  const { page, startButton } = await visit()
  await page.route('**/api/session', route => route.abort('connectionrefused'))
  await page.goto('/')
  await expect(page.getByText('The server cannot be reached yet; trying again.')).toBeVisible()
  await expect(page.getByText('Loading...')).toBeVisible()

  await page.unroute('**/api/session')
  await expect(startButton).toBeEnabled()
})

/** Where each line of words is: its words, its upper edge and its height, in px. */
const LINES = `(() => {
  const lines = []
  const texts = document.createTreeWalker(document.querySelector('.page'), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const range = document.createRange()
    range.selectNodeContents(texts.currentNode)
    const box = texts.currentNode.parentElement.getBoundingClientRect()
    if (box.width > 1) lines.push([texts.currentNode.data, Math.round(box.top), Math.round(box.height)])
  }
  return lines
})()`

test('a font that comes late is swapped in and moves no line', async ({ visit }) => {
  const player = await visit({ viewport: { width: 360, height: 800 } })
  const { page } = player
  let arrive = (): void => undefined
  const underWay = new Promise<void>(resolve => {
    arrive = resolve
  })
  await page.route('**/*.woff2', async route => {
    await underWay
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await player.play(700)
  const isLoaded = `document.fonts.check('16px "Space Grotesk"')`
  expect(await page.evaluate(isLoaded)).toBe(false)
  await expect(player.attempts).toHaveCount(1)
  await player.pool()
  const before = await player.settle(LINES)
  arrive()
  await expect.poll(() => page.evaluate(isLoaded)).toBe(true)
  expect(await player.settle(LINES)).toEqual(before)
})
