import type { CDPSession } from '@playwright/test'
import { CLAIM_SLIP_MS } from '../../contract/rules.ts'
import { PASSWORD } from '../support/page-player.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

/** An element as assistive technology sees it. */
interface Item {
  readonly role: string
  readonly name: string
  readonly ignored: boolean
  readonly backendDOMNodeId: number | undefined
}

/** A player who has only the accessibility tree: elements have a role, a name and a default action, but no position. */
class Listener {
  readonly #cdp: CDPSession

  constructor(cdp: CDPSession) {
    this.#cdp = cdp
  }

  /** Waits for an element of this role and name. */
  async hears(role: string, name: string | RegExp): Promise<Item> {
    let found: Item | undefined
    const isIt = (item: Item) =>
      item.role === role && (typeof name === 'string' ? item.name === name : name.test(item.name))
    await expect
      .poll(
        async () => {
          found = (await this.#tree()).find(isIt)
          return found === undefined ? 'nothing' : 'there'
        },
        { message: `${role} "${name}"`, intervals: [20, 50, 100] },
      )
      .toBe('there')
    if (found === undefined) throw new Error(`There is no ${role} "${name}"`)
    return found
  }

  /** Does what a screen reader does for "activate": a click without a pointer. */
  async activates(role: string, name: string | RegExp): Promise<void> {
    await this.#call(await this.hears(role, name), 'function () { this.click() }')
  }

  /** Focuses a field and dictates its text. */
  async dictates(name: string, text: string): Promise<void> {
    await this.#call(await this.hears('textbox', name), 'function () { this.focus(); this.select() }')
    await this.#cdp.send('Input.insertText', { text })
  }

  async #tree(): Promise<Item[]> {
    const { nodes } = await this.#cdp.send('Accessibility.getFullAXTree')
    return (
      nodes
        // Disabled elements cannot be used yet: Start, until the next round is there.
        .filter(
          ({ properties = [] }) => !properties.some(({ name, value }) => name === 'disabled' && value.value),
        )
        .map(({ role, name, ignored, backendDOMNodeId }) => ({
          role: String(role?.value),
          name: String(name?.value ?? '').replace(/\s+/g, ' '),
          ignored,
          backendDOMNodeId,
        }))
        .filter(({ ignored }) => !ignored)
    )
  }

  async #call({ backendDOMNodeId = 0 }: Item, functionDeclaration: string): Promise<void> {
    const { object } = await this.#cdp.send('DOM.resolveNode', { backendNodeId: backendDOMNodeId })
    const { objectId = '' } = object
    await this.#cdp.send('Runtime.callFunctionOn', { objectId, functionDeclaration })
  }
}

/** Records the time of each click, in ms: the event's time counts, as for everybody. */
const WATCH = `
  globalThis.clickAt = 0
  const { get } = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')
  Object.defineProperty(Event.prototype, 'timeStamp', {
    get() { return this.type === 'click' && this.target.matches('.play') ? clickAt : get.call(this) },
  })`

/** Between two rounds, in ms. */
const PAUSE_MS = 1_000

test('the whole game is played by roles and names alone', async ({ visit, server }) => {
  const name = await makeAccount(server)
  const { page } = await visit()
  await page.addInitScript(WATCH)
  await page.goto('/')
  const listener = new Listener(await page.context().newCDPSession(page))
  let now = PAUSE_MS
  const activate = async (button: string) => {
    await page.evaluate(`clickAt = ${now}`)
    await listener.activates('button', button)
  }
  const play = async (differenceMs: number) => {
    now += PAUSE_MS
    await activate('Start')
    await listener.hears('button', 'Stop')
    const target = Number((await listener.hears('StaticText', /^\d\.\d\d$/)).name)
    now += Math.round(target * 1_000) + differenceMs
    await activate('Stop')
  }

  await listener.hears('heading', 'TAPS')
  for (const region of ['Prize pool', 'Target Time', 'Track', 'Result', 'Your timing']) {
    await listener.hears('region', region)
  }
  await listener.dictates('Username', 'Listening Otter')
  await play(612)
  await listener.hears('StaticText', /^ ?612 ms late/)
  await listener.hears('StaticText', 'Listening Otter')
  await play(38)
  await listener.hears('heading', '2 TAPS')
  await listener.hears('StaticText', /serious skills!/)
  await page.waitForTimeout(CLAIM_SLIP_MS)
  await activate('Keep playing')
  await activate('2 TAPS to claim')
  await listener.hears('heading', '2 TAPS')
  await page.waitForTimeout(CLAIM_SLIP_MS)
  await listener.activates('tab', 'Sign in')
  await listener.dictates('Username', name)
  await activate('Sign in & claim 2 TAPS')
  await listener.hears('alert', '')
  await listener.hears('StaticText', 'Please enter both username and password')
  await listener.dictates('Password', PASSWORD)
  await activate('Sign in & claim 2 TAPS')
  await listener.hears('StaticText', '2 TAPS claimed. Your balance is 2 TAPS.')
  await play(-700)
  await listener.hears('StaticText', /^ ?700 ms early/)
})
