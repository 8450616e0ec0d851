import { Client } from '../support/client.ts'
import { makeAccount } from './accounts.ts'
import { playRounds } from './crowd.ts'
import { expect, longUnless, test } from './test.ts'

/** Notes down every text that the balance has had. */
const WATCH_BALANCE = `
  globalThis.texts = []
  new MutationObserver(() => {
    const text = document.querySelector('header b')?.textContent
    if (text && texts.at(-1) !== text) texts.push(text)
  }).observe(document, { subtree: true, childList: true, characterData: true })
`

/** Frames 16 ms apart by their own account, however rarely a busy machine draws one. */
const EVEN_FRAMES = `
  const draw = requestAnimationFrame.bind(globalThis)
  let now = 0
  globalThis.requestAnimationFrame = step => draw(() => step((now += 16)))
`

for (const [motion, steps] of [
  ['no-preference', 'soft'],
  ['reduce', 'none'],
] as const) {
  const title = `what is claimed is counted up, and with motion "${motion}" the steps are ${steps}`
  test(title, longUnless(steps === 'soft'), async ({ visit, server }) => {
    const player = await visit({ reducedMotion: motion })
    await player.page.addInitScript(WATCH_BALANCE)
    await player.page.addInitScript(EVEN_FRAMES)
    await player.open()
    const name = await makeAccount(server)
    await player.logIn(name)
    await player.expectLoggedIn(name)
    await playRounds(new Client(server.url), Array<number>(11).fill(300))
    const won = await player.win()
    await player.button(`Claim ${won} TAPS`).click()
    await player.expectBalance(won)
    const counted = (await player.page.evaluate<string[]>('texts')).map(Number)
    expect(counted).toEqual(counted.toSorted((a, b) => a - b))
    expect(counted.at(-1)).toBe(won)
    if (motion === 'reduce') expect(counted).toEqual([0, won])
    else expect(counted.length).toBeGreaterThan(2)
  })
}
