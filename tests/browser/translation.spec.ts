import { Client } from '../support/client.ts'
import { PASSWORD } from '../support/page-player.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

/** Replaces every text node by elements, also in every later change, as translators do. */
const TRANSLATE = `(() => {
  const translate = node => {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const found = node.nodeType === Node.TEXT_NODE ? [node] : []
    while (texts.nextNode()) found.push(texts.currentNode)
    for (const text of found) {
      if (text.parentElement?.closest('font, svg') !== null) continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
  }
  const root = document.getElementById('root')
  translate(root)
  new MutationObserver(changes => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node.isConnected) translate(node)
  }).observe(root, { childList: true, subtree: true })
})()`

/** Finds elements whose text, apart from spaces at its ends, differs from the text that React has rendered. */
const STALE = `(() => {
  const propsOf = element => element[Object.keys(element).find(key => key.startsWith('__reactProps'))]
  const isText = child => typeof child === 'string' || typeof child === 'number'
  return Array.from(document.querySelectorAll('#root *')).flatMap(element => {
    const props = propsOf(element)
    if (props?.children === undefined) return []
    const wanted = [props.children].flat(9).filter(isText).join('').trim()
    const own = Array.from(element.childNodes).filter(node => node.nodeName === '#text' || node.nodeName === 'FONT')
    const shown = own.map(node => node.textContent).join('').trim()
    return shown === wanted ? [] : [shown + ' instead of ' + wanted]
  })
})()`

test('a translated page shows every later text, from the first round through a win, a claim and a menu', async ({
  player,
  server,
}) => {
  const { page } = player
  const expectCurrent = async (when: string) => {
    await player.settle()
    expect.soft(await page.evaluate(STALE), when).toEqual([])
  }
  await page.evaluate(TRANSLATE)
  await player.start()
  await expectCurrent('running')
  await player.stop(130)
  await expect(player.startButton).toBeEnabled()
  await expectCurrent('after a near miss')

  await player.win()
  await expectCurrent('in claim mode')
  await player.pressInClaim('Sign in', 'tab')
  await expect(page.getByRole('button', { name: /^Sign in & claim/ })).toBeVisible()
  await player.keepPlaying()
  await player.button('Login').click()
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  await expectCurrent('in sign-up mode')
  await player.button('I already have an account').click()
  await expectCurrent('in login mode')
  await player.button('Cancel').click()
  const account = await makeAccount(server)
  await player.logIn(account)
  await player.pressInClaim(/^Claim [\d,]+ TAPS$/)
  await expect(page.getByText(/TAPS claimed/)).toBeAttached()
  await expectCurrent('after a claim')

  await player.win()
  await player.button('Account').click()
  await player.button('Delete account').click()
  const device = new Client(server.url)
  await device.login(account, PASSWORD)
  await device.play(38)
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await expect(player.region('Track').getByRole('heading')).not.toHaveText(/^[+]/)
  await expectCurrent('after a win on another device, in the account menu and in claim mode')
})

test('a translated board shows every later text: attempts, a win and a claim', async ({ player, server }) => {
  const { page } = player
  await page.goto('/#board')
  await expect(page.locator('.wall').first()).toBeAttached()
  await page.evaluate(TRANSLATE)
  const guest = new Client(server.url)
  await guest.play(400, 'Board Guest')
  await expect(page.getByText('Board Guest').first()).toBeVisible()
  await guest.play(20, 'Board Guest')
  await guest.createAccount('Board Winner', PASSWORD)
  await guest.post('/api/claim')
  await expect(page.getByText('Board Winner').first()).toBeVisible()
  await guest.play(400)
  await expect(page.locator('.wall-amount'), 'the pool, which was empty').toHaveText(/^1 TAPS$/)
  await player.settle()
  expect(await page.evaluate(STALE)).toEqual([])
})
