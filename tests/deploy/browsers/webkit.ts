import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Builder, By, Key, type WebDriver, type WebElement } from 'selenium-webdriver'
import { freePort } from '../../support/free-port.ts'
import { type Browser, PATIENCE_MS, SIZE } from './browser.ts'

/** WebKit by WebKitWebDriver, on a screen of its own: it draws by GTK, which has no other. */
export async function openWebKit(): Promise<Browser> {
  const words = ['-displayfd', '1', '-screen', '0', `${SIZE.width}x${SIZE.height}x24`, '-nolisten', 'tcp']
  const screen = spawn('Xvfb', words, { stdio: ['ignore', 'pipe', 'ignore'] })
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const [display] = await once(createInterface({ input: screen.stdout }), 'line', { signal })
  const port = await freePort('127.0.0.1')
  const service = spawn('WebKitWebDriver', ['--host=127.0.0.1', `--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${display}`, GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1' },
  })
  const url = `http://127.0.0.1:${port}`
  await listens(url, signal)
  // So the driver calls the browser that Debian packs with it. With the address told, nothing is looked for or loaded.
  const driver = await new Builder().usingServer(url).forBrowser('MiniBrowser').build()
  return {
    open: page => driver.get(page),
    evaluate: expression => driver.executeScript(`return ${expression}`),
    press: async name => (await find(driver, 'button', name)).click(),
    async fill(name, text) {
      await (await find(driver, 'input', name)).click()
      const keys = driver.actions().keyDown(Key.CONTROL).sendKeys('a').keyUp(Key.CONTROL).sendKeys(text)
      await keys.perform()
    },
    async close() {
      await driver.quit()
      for (const program of [service, screen]) await end(program)
    },
  }
}

async function listens(url: string, signal: AbortSignal): Promise<void> {
  const isReady = () =>
    fetch(`${url}/status`, { signal })
      .then(({ ok }) => ok)
      .catch(() => false)
  while (!(await isReady())) await sleep(50, undefined, { signal })
}

async function end(program: ChildProcess): Promise<void> {
  program.kill()
  await (program.exitCode ?? once(program, 'exit'))
}

/** What has this name by the accessibility tree, once it can be used. */
function find(driver: WebDriver, selector: string, name: string): Promise<WebElement> {
  const look = async (): Promise<WebElement | undefined> => {
    for (const element of await driver.findElements(By.css(selector))) {
      if ((await element.getAccessibleName()) === name && (await element.isEnabled())) return element
    }
    return undefined
  }
  // While the page changes, what was found may be gone when it is asked for its name.
  const found = driver.wait(() => look().catch(() => undefined), PATIENCE_MS, `no ${selector} "${name}"`)
  return found as Promise<WebElement>
}
