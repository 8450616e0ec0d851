import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launch, lineOf } from './launch.ts'
import {
  clickOn,
  keys,
  type Program,
  ROLES,
  type Role,
  type Tab,
  type Thing,
  type Window,
  type Wishes,
} from './window.ts'

/** Between two looks at whether the driver listens. */
const LOOK_MS = 50
const COMMAND_TIMEOUT_MS = 60_000

type Send = <Value>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Value>

/** WebKit by WebKitWebDriver, on a screen of its own: it draws by GTK, which has no other. */
export async function openWebKit(driver: string, screen: string, wishes: Wishes): Promise<Program> {
  const home = await mkdtemp(join(tmpdir(), 'taps-webkit-'))
  await tellSystem(home, wishes)
  const xvfb = launch(screen, ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {})
  const [display] = await lineOf(xvfb.stdout, /^\d+$/)
  const port = await freePort()
  const child = launch(driver, ['--host=127.0.0.1', `--port=${port}`], {
    ...{ DISPLAY: `:${display}`, GDK_BACKEND: 'x11', HOME: home, XDG_CONFIG_HOME: home },
    // As a system without a desktop: nothing else is asked what it thinks of motion.
    ...{ GTK_USE_PORTAL: '0', LIBGL_ALWAYS_SOFTWARE: '1' },
  })
  const send: Send = (method, path, body) => sendTo(`http://127.0.0.1:${port}${path}`, method, body)
  await listens(send)
  return {
    openWindow: () => openWindow(send),
    async close() {
      await child.end()
      await xvfb.end()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** A session: it begins without cookies, and there is one at a time. */
async function openWindow(send: Send): Promise<Window> {
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', { capabilities: {} })
  const path = `/session/${sessionId}`
  const ofSession: Send = (method, rest, body) => send(method, path + rest, body)
  let first: string | undefined = await ofSession('GET', '/window')
  let shown = first
  const show = async (handle: string) => {
    if (handle !== shown) await ofSession('POST', '/window', { handle })
    shown = handle
  }
  return {
    async openTab() {
      // In a window of its own: of two tabs in one the driver cannot bring the other to the front.
      const asked = { type: 'window' }
      const handle = first ?? (await ofSession<{ handle: string }>('POST', '/window/new', asked)).handle
      first = undefined
      return new WebKitTab(async (method, rest, body) => {
        await show(handle)
        return ofSession(method, rest, body)
      })
    },
    close: () => send('DELETE', path),
  }
}

class WebKitTab implements Tab {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  async show(): Promise<void> {
    await this.#send('GET', '/title')
  }

  async go(url: string): Promise<void> {
    await this.#send('POST', '/url', { url })
  }

  async evaluate(expression: string): Promise<unknown> {
    const script = `const [done] = arguments
      const fail = error => done(JSON.stringify({ error: String(error) }))
      try {
        Promise.resolve(${expression}).then(value => done(JSON.stringify({ value: value ?? null })), fail)
      } catch (error) {
        fail(error)
      }`
    const answer = await this.#send<string>('POST', '/execute/async', { script, args: [] })
    const { value, error }: { value?: unknown; error?: string } = JSON.parse(answer)
    if (error !== undefined) throw new Error(error)
    return value
  }

  async find(role: Role, name: string): Promise<Thing | undefined> {
    const using = 'css selector'
    const things = await this.#send<Thing[]>('POST', '/elements', { using, value: ROLES[role] })
    for (const thing of things) {
      const [id] = Object.values(thing)
      const label = await this.#send<string>('GET', `/element/${id}/computedlabel`)
      if (label !== name) continue
      if (role === 'password' || (await this.#send('GET', `/element/${id}/computedrole`)) === role)
        return thing
    }
    return undefined
  }

  async click(thing: Thing): Promise<void> {
    await this.#send('POST', '/actions', { actions: clickOn(thing) })
  }

  async type(steps: Parameters<Tab['type']>[0]): Promise<void> {
    await this.#send('POST', '/actions', { actions: keys(steps) })
  }

  async picture(): Promise<Buffer> {
    return Buffer.from(await this.#send<string>('GET', '/screenshot'), 'base64')
  }
}

async function tellSystem(home: string, { reducedMotion }: Wishes): Promise<void> {
  for (const version of ['3.0', '4.0']) {
    await mkdir(join(home, `gtk-${version}`))
    const lines = [
      '[Settings]',
      `gtk-enable-animations=${!reducedMotion}`,
      'gtk-application-prefer-dark-theme=true',
    ]
    await writeFile(join(home, `gtk-${version}`, 'settings.ini'), `${lines.join('\n')}\n`)
  }
}

/** The driver takes a port, but does not tell one. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

async function listens(send: Send): Promise<void> {
  const signal = AbortSignal.timeout(COMMAND_TIMEOUT_MS)
  const isReady = () =>
    send<{ ready: boolean }>('GET', '/status').then(
      ({ ready }) => ready,
      () => false,
    )
  while (!(await isReady())) await sleep(LOOK_MS, undefined, { signal })
}

async function sendTo<Value>(url: string, method: string, body?: object): Promise<Value> {
  const answer = await fetch(url, {
    method,
    signal: AbortSignal.timeout(COMMAND_TIMEOUT_MS),
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
  })
  const { value } = (await answer.json()) as { value: Value & { error?: string; message?: string } }
  if (answer.ok) return value
  throw new Error(`${method} ${url}: ${value.error}: ${value.message}`)
}
