import { STOP_DEBOUNCE_MS } from '../../contract/rules.ts'
import { pressSpace } from '../support/devices.ts'
import type { Player } from '../support/page-player.ts'
import { expect, test } from './test.ts'

const TRANSITIONS = 'document.getAnimations().filter(a => a instanceof CSSTransition).length'

/** Stretches a transition of 0.3 s to a minute, so that the next press falls within the transition. */
async function slowDown({ page }: Player): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Animation.enable')
  await cdp.send('Animation.setPlaybackRate', { playbackRate: 0.005 })
}

const WATCH_ROUND = `
  globalThis.seen = []
  const target = document.querySelector('[aria-label="Target Time"]')
  const look = () => {
    const button = document.querySelector('.play')
    const now = [
      'pressed' in button.dataset ? 'pressed' : 'up',
      button.querySelector('span > span').textContent,
      /\\d/.test(target.innerText) ? 'a target' : 'no target',
      document.querySelector('.dot--running') ? 'a dot' : 'no dot',
    ].join(', ')
    if (seen.at(-1) !== now) seen.push(now)
  }
  look()
  new MutationObserver(look)
    .observe(document.querySelector('.game'), { subtree: true, childList: true, attributes: true, characterData: true })`

test('a press first shows on the button, then all its effects appear together', async ({ player }) => {
  await player.page.evaluate(WATCH_ROUND)
  await player.start(pressSpace)
  await expect(player.startButton.or(player.stopButton)).not.toHaveAttribute('data-pressed')
  expect(await player.page.evaluate('seen')).toEqual([
    'up, Start, no target, no dot',
    'pressed, Start, no target, no dot',
    'pressed, Stop, a target, a dot',
    'up, Stop, a target, a dot',
  ])
})

test('a press counts when the pointer goes down, and Stop counts while the button is still animated', async ({
  player,
}) => {
  const { page, startButton, stopButton } = player
  await slowDown(player)
  await startButton.hover()
  await page.mouse.down()
  await expect(stopButton).toBeVisible()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  await expect.poll(() => page.evaluate<number>(TRANSITIONS)).toBeGreaterThan(0)
  await player.press(Date.now() + STOP_DEBOUNCE_MS)
  await expect(stopButton).toBeHidden()
  expect(await page.evaluate<number>(TRANSITIONS)).toBeGreaterThan(0)
})

test('Start is dimmed and ignores presses until the next round arrives, then accepts a press while brightening', async ({
  player,
}) => {
  const arrive = await player.holdBack('**/api/attempts')
  await player.start()
  await player.stop(600)
  await expect(player.startButton).not.toHaveCSS('opacity', '1')
  await expect(player.startButton).toBeDisabled()
  await player.press(50)
  await player.page.keyboard.press('Space')
  await expect(player.region('Result').getByRole('definition').last()).toHaveText('0.600s')
  await expect(player.stopButton).toBeHidden()
  await player.settle()
  await slowDown(player)
  arrive()
  await expect(player.startButton).toBeEnabled()
  await expect(player.startButton).not.toHaveCSS('opacity', '1')
  await player.press(5_000)
  await expect(player.stopButton).toBeVisible()
})
