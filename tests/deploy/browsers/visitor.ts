import { setTimeout as sleep } from 'node:timers/promises'
import type { Role, Step, Tab, Thing } from './window.ts'

/** A busy machine may take seconds for what takes milliseconds. */
const PATIENCE_MS = 40_000
/** Between two looks. */
const LOOK_MS = 50

/** Keys without a letter, by their code points in the WebDriver specification. */
export const KEYS = {
  Control: '\uE009',
  Enter: '\uE007',
  Escape: '\uE00C',
  Shift: '\uE008',
  Space: ' ',
  Tab: '\uE004',
} as const

/**
 * Keeps, in the page, the time of each press and whatever goes wrong. A press is by the real keyboard or mouse of the
 * browser, but when it was can be said beforehand, as `pressAt`: whether a round is won must not rest on luck.
 */
const WATCH = `(() => {
  globalThis.presses = []
  globalThis.faults = []
  globalThis.pressAt = null
  const { get } = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')
  const isPress = ({ type }) => type === 'keydown' || type === 'pointerdown'
  Object.defineProperty(Event.prototype, 'timeStamp', {
    get() { return (isPress(this) ? pressAt : null) ?? get.call(this) },
  })
  for (const type of ['keydown', 'pointerdown']) addEventListener(type, event => presses.push(event.timeStamp), true)
  addEventListener('error', ({ message }) => faults.push(message))
  addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)))
  addEventListener('securitypolicyviolation', ({ violatedDirective }) => faults.push(violatedDirective))
  const { error } = console
  console.error = (...words) => { faults.push(words.join(' ')); error(...words) }
})()`

/** A person at the page: finds things by role and name, sees what is there, presses the mouse and the keys. */
export class Visitor {
  readonly tab: Tab

  constructor(tab: Tab) {
    this.tab = tab
  }

  /** Opens the page, in whichever mode it is then. */
  async open(url: string): Promise<void> {
    await this.tab.show()
    await this.tab.go(url)
    await this.tab.evaluate(WATCH)
  }

  async isReady(): Promise<void> {
    await this.until(
      'Start can be pressed',
      "document.querySelector('.play:enabled')?.textContent.startsWith('Start')",
    )
  }

  /** Waits until the page says yes. */
  async until(what: string, expression: string): Promise<void> {
    await eventually(what, async () => (await this.tab.evaluate(expression)) === true)
  }

  /** Waits until there is something of this role and name. */
  async find(role: Role, name: string): Promise<Thing> {
    return eventually(`a ${role} "${name}"`, () => this.tab.find(role, name))
  }

  /** Waits until a region reads so. */
  async reads(region: string, pattern: RegExp): Promise<string> {
    await this.find('region', region)
    return eventually(`${region} reads ${pattern}`, async () => pattern.exec(await this.textOf(region))?.[0])
  }

  /** Waits until somewhere on the page it reads so. */
  async sees(pattern: RegExp): Promise<void> {
    await this.until(`the page reads ${pattern}`, `${pattern}.test(document.body.innerText)`)
  }

  /** As one line: where lines break is another matter in each browser. */
  async textOf(region: string): Promise<string> {
    const text = `document.querySelector('section[aria-label="${region}"]')?.innerText ?? ''`
    return String(await this.tab.evaluate(text)).replace(/\s+/g, ' ')
  }

  async click(role: Role, name: string): Promise<void> {
    await this.tab.click(await this.find(role, name))
  }

  /** Presses keys one after the other; several in one array together. */
  async press(...strokes: readonly (string | readonly string[])[]): Promise<void> {
    await this.tab.type(strokes.flatMap(stroke => chord([stroke].flat())))
  }

  /** Writes over what is in a field. */
  async fill(name: 'Username' | 'Password', text: string): Promise<void> {
    await this.click(name === 'Password' ? 'password' : 'textbox', name)
    await this.press([KEYS.Control, 'a'], ...text)
  }

  /** Starts a round with the mouse; returns its target in ms. */
  async start(): Promise<number> {
    await this.isReady()
    await this.click('button', 'Start')
    await this.find('button', 'Stop')
    return Math.round(Number(await this.reads('Target Time', /\d\.\d\d/)) * 1_000)
  }

  /** Presses something that stops a round `ms` after its Start, by the time of the event. */
  async stopAt(ms: number, press: () => Promise<void> = () => this.click('button', 'Stop')): Promise<void> {
    await this.tab.evaluate(`pressAt = presses.at(-1) + ${ms}`)
    await press()
    await this.tab.evaluate('pressAt = null')
  }

  /** Plays a round that ends so far from its target. */
  async play(differenceMs: number): Promise<void> {
    await this.stopAt((await this.start()) + differenceMs)
    await this.reads('Result', /Difference\s*\d\.\d{3}s/i)
  }

  /** When the last two presses were apart, in ms, by the times of their events. */
  async between(): Promise<number> {
    return Number(await this.tab.evaluate('presses.at(-1) - presses.at(-2)'))
  }

  async faults(): Promise<unknown> {
    return this.tab.evaluate('faults')
  }
}

function chord(keys: readonly string[]): Step[] {
  const downs = keys.map(value => ({ type: 'keyDown', value }) as const)
  const ups = keys.toReversed().map(value => ({ type: 'keyUp', value }) as const)
  return [...downs, ...ups]
}

/**
 * What an attempt gives, tried until it gives something.
 *
 * @throws Error after `PATIENCE_MS`
 */
async function eventually<Value>(
  what: string,
  attempt: () => Promise<Value | undefined | false>,
): Promise<Value> {
  const deadline = performance.now() + PATIENCE_MS
  let cause: unknown
  while (performance.now() < deadline) {
    try {
      const value = await attempt()
      if (value !== undefined && value !== false) return value
    } catch (error) {
      // A page that is being changed has things that are gone when they are looked at.
      cause = error
    }
    await sleep(LOOK_MS)
  }
  throw new Error(`In vain waited for: ${what}`, { cause })
}
