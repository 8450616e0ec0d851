import { Player } from '../support/page-player.ts'
import { expect, test } from './test.ts'

const OVERLAYS = 7

test('seven overlays and a game in one browser load, record and follow', async ({ visit }) => {
  const { page } = await visit()
  const context = page.context()
  const overlays: Player[] = []
  for (let n = 0; n < OVERLAYS; n += 1) {
    const overlay = new Player(await context.newPage())
    await overlay.page.goto('/#board&show=attempts')
    await expect(overlay.region('Recent attempts'), `overlay ${n + 1}`).toBeVisible()
    overlays.push(overlay)
  }
  const player = new Player(page)
  await player.open()
  await player.play(-300)
  for (const overlay of overlays) await expect(overlay.attempts.first()).toContainText('−0.300 s')
})
