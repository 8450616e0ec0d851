import { Client } from '../support/client.ts'
import { expect, test } from './test.ts'

/** As many of a player's attempts are looked at; see `server/game/steadiness.ts`. */
const WINDOW = 40

test('who stops steadier than a hand can is told so: it counts, and cannot win', async ({
  player,
  server,
}) => {
  const script = new Client(server.url)
  for (const { name, value } of await player.page.context().cookies()) script.cookies.set(name, value)
  let { round } = await script.session()
  const win = async () => {
    const { body } = await script.play(round, 20)
    round = body.round
    return body.reason
  }
  for (let played = 0; played < WINDOW; played += 1) await win()
  await expect.poll(win, 'somebody has looked').toBe('flagged')

  await player.page.reload()
  await player.keepPlaying()
  const held = await player.chip.innerText()
  const pool = await player.pool()
  await player.play(20)
  await expect(player.page.getByText(/steadier than a hand can be/i)).toBeVisible()
  await player.expectPool(pool + 1)
  await expect(player.attempts.first()).not.toContainText('won')
  await expect(player.chip).toHaveText(held)
})
