import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bidi } from './bidi.ts'
import { launch, lineOf } from './launch.ts'
import {
  clickOn,
  keys,
  type Program,
  type Role,
  type Tab,
  type Thing,
  type Window,
  type Wishes,
} from './window.ts'

interface Evaluated {
  readonly type: 'success' | 'exception'
  readonly result?: { readonly value?: string }
  readonly exceptionDetails?: { readonly text: string }
}

interface Node {
  readonly sharedId: string
  readonly value: { readonly localName: string }
}

/** Firefox by WebDriver BiDi, which it speaks itself: no driver stands between. */
export async function openFirefox(program: string, { reducedMotion }: Wishes): Promise<Program> {
  const home = await mkdtemp(join(tmpdir(), 'taps-firefox-'))
  const wishes = { 'ui.prefersReducedMotion': Number(reducedMotion), 'ui.systemUsesDarkTheme': 1 }
  const lines = Object.entries(wishes).map(([name, value]) => `user_pref("${name}", ${value});\n`)
  await writeFile(join(home, 'user.js'), lines.join(''))
  const child = launch(
    program,
    ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port=0'],
    {
      HOME: home,
    },
  )
  const [, url = ''] = await lineOf(child.stderr, /listening on (ws:\S+)/)
  const bidi = await Bidi.connect(`${url}/session`)
  await bidi.send('session.new', { capabilities: {} })
  return {
    openWindow: () => openWindow(bidi),
    async close() {
      bidi.close()
      await child.end()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** A container: its cookies and storage are its own. */
async function openWindow(bidi: Bidi): Promise<Window> {
  const { userContext } = await bidi.send<{ userContext: string }>('browser.createUserContext')
  return {
    async openTab() {
      const { context } = await bidi.send<{ context: string }>('browsingContext.create', {
        type: 'tab',
        userContext,
      })
      return new FirefoxTab(bidi, context)
    },
    close: () => bidi.send('browser.removeUserContext', { userContext }),
  }
}

class FirefoxTab implements Tab {
  readonly #bidi: Bidi
  readonly #context: string

  constructor(bidi: Bidi, context: string) {
    this.#bidi = bidi
    this.#context = context
  }

  async show(): Promise<void> {
    await this.#send('browsingContext.activate')
  }

  async go(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { url, wait: 'complete' })
  }

  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#bidi.send<Evaluated>('script.evaluate', {
      expression: `Promise.resolve(${expression}).then(value => JSON.stringify(value ?? null))`,
      target: { context: this.#context },
      awaitPromise: true,
    })
    if (result?.value === undefined) throw new Error(exceptionDetails?.text)
    return JSON.parse(result.value)
  }

  async find(role: Role, name: string): Promise<Thing | undefined> {
    const value = role === 'password' ? { name } : { role, name }
    const { nodes } = await this.#send<{ nodes: Node[] }>('browsingContext.locateNodes', {
      locator: { type: 'accessibility', value },
    })
    const node = nodes.find(({ value }) => role !== 'password' || value.localName === 'input')
    return node && { sharedId: node.sharedId }
  }

  async click(thing: Thing): Promise<void> {
    await this.#act(clickOn({ type: 'element', element: thing }))
  }

  async type(steps: Parameters<Tab['type']>[0]): Promise<void> {
    await this.#act(keys(steps))
  }

  async picture(): Promise<Buffer> {
    const { data } = await this.#send<{ data: string }>('browsingContext.captureScreenshot')
    return Buffer.from(data, 'base64')
  }

  async #act(actions: object[]): Promise<void> {
    await this.#send('input.performActions', { actions })
  }

  #send<Result>(method: string, params: object = {}): Promise<Result> {
    return this.#bidi.send(method, { context: this.#context, ...params })
  }
}
