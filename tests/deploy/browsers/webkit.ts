import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Builder, By, Key, type WebDriver, type WebElement } from 'selenium-webdriver'
import { freePort } from '../../support/free-port.ts'
import { type Browser, PATIENCE_MS, SIZE } from './browser.ts'

/** Opens WebKit through WebKitWebDriver, on a virtual screen because GTK needs a display. */
export async function openWebKit(): Promise<Browser> {
  const argv = ['-displayfd', '1', '-screen', '0', `${SIZE.width}x${SIZE.height}x24`, '-nolisten', 'tcp']
  const screen = spawn('Xvfb', argv, { stdio: ['ignore', 'pipe', 'ignore'] })
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const [display] = await once(createInterface({ input: screen.stdout }), 'line', { signal })
  const port = await freePort('127.0.0.1')
  const service = spawn('WebKitWebDriver', ['--host=127.0.0.1', `--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${display}`, GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1' },
  })
  const url = `http://127.0.0.1:${port}`
  await untilReady(url, signal)
  // MiniBrowser is the browser's name in Debian. With a driver's address, Selenium downloads no driver.
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

async function untilReady(url: string, signal: AbortSignal): Promise<void> {
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

/** Waits for an enabled element with this accessible name. */
function find(driver: WebDriver, selector: string, name: string): Promise<WebElement> {
  const search = async (): Promise<WebElement | undefined> => {
    for (const element of await driver.findElements(By.css(selector))) {
      if ((await element.getAccessibleName()) === name && (await element.isEnabled())) return element
    }
    return undefined
  }
  // Ignores errors, because an element may disappear before its name is read.
  const found = driver.wait(() => search().catch(() => undefined), PATIENCE_MS, `no ${selector} "${name}"`)
  return found as Promise<WebElement>
}
