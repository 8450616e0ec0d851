import { AxeBuilder } from '@axe-core/playwright'
import { Client } from '../support/client.ts'
import { PASSWORD, type Player } from '../support/page-player.ts'
import { newName } from './accounts.ts'
import { playRounds } from './crowd.ts'
import { expect, test } from './test.ts'

const tab = ({ page }: Player, name: string) => page.getByRole('tab', { name, exact: true })
const own = (player: Player) => player.region('Leaderboard').locator('[data-kind="own"]')

test('a guest who plays five rounds stands in the list of today, which a reload keeps in view', async ({
  visit,
  server,
}) => {
  await playRounds(new Client(server.url), [200, -200, 200, -200, 200], 'mira')
  const player = await visit()
  const { page } = player
  await player.open()
  await player.username.fill('mira')
  await expect(player.region('Leaderboard')).toContainText('No one here yet')
  await expect(tab(player, 'All time')).toHaveAttribute('aria-selected', 'true')

  await tab(player, 'All time').focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab(player, 'Today')).toBeFocused()
  await expect(player.ranks, 'the list of another guest with the same name').toHaveText([
    '1mira guest0.200 s',
  ])
  await expect(own(player)).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await expect(tab(player, 'All time')).toBeFocused()
  await expect(player.ranks).toHaveCount(0)

  await tab(player, 'Today').click()
  await page.keyboard.press('Space')
  await expect(player.stopButton, 'a click gives the focus back').toBeVisible()
  await page.reload()
  await expect(player.ranks).toHaveText(['1mira guest0.200 s'])
  for (const differenceMs of [-110, 120, 130, 140, 150]) await player.play(differenceMs)
  await expect(player.ranks).toHaveText(['1mira guest0.130 s', '2mira guest0.200 s'])
  await expect(own(player)).toHaveText('1mira guest0.130 s')
  expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([])
})

test('a claim shows the list of all time until the next Start, and today lists the hand under the name of the account', async ({
  player,
}) => {
  const { page } = player
  const name = newName()
  await tab(player, 'Today').click()
  await expect(player.region('Leaderboard')).toContainText(
    'No hand of five yet today. Yours would be the first.',
  )
  for (const differenceMs of [110, 120, 130, 140]) await player.play(differenceMs)
  const won = await player.win(-100)
  await expect(tab(player, 'All time')).toHaveAttribute('aria-selected', 'true')
  await player.username.fill(name)
  await player.password.fill(PASSWORD)
  await player.pressInClaim(`Create account & claim ${won} TAPS`)
  await expect(own(player)).toHaveText(`1${name}${won}`)
  await player.start()
  await expect(own(player)).toHaveText(`1${name} 0.120 s`)
  await player.stop(700)
  await page.reload()
  await expect(own(player)).toHaveText(`1${name} 0.120 s`)
})

test('the wall shows the list of today without tabs, whatever a player has chosen', async ({
  visit,
  server,
}) => {
  await playRounds(new Client(server.url), [200, -200, 200, -200, 200], 'mira')
  const { page } = await visit()
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  for (const hash of ['#board&today', '#board&show=today']) {
    await page.goto('about:blank')
    await page.goto(`/${hash}`)
    await expect(region('Today').getByRole('listitem')).toHaveText(['1mira guest0.200 s'])
    await expect(page.getByRole('tab')).toHaveCount(0)
    await expect(region('Leaderboard')).toHaveCount(0)
    await expect(region('Prize pool')).toHaveCount(hash.includes('show') ? 0 : 1)
  }
  await page.evaluate("localStorage.setItem('taps-board', JSON.stringify('today'))")
  await page.goto('about:blank')
  await page.goto('/#board')
  await expect(region('Leaderboard')).toContainText('No one yet.')
})
