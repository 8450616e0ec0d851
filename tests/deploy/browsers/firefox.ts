import puppeteer from 'puppeteer-core'
import { type Browser, PATIENCE_MS, SIZE } from './browser.ts'

/** Opens Firefox through WebDriver BiDi, which Firefox supports without a separate driver. */
export async function openFirefox(): Promise<Browser> {
  const firefox = await puppeteer.launch({
    browser: 'firefox',
    // Debian's path, because Puppeteer needs a full path.
    executablePath: '/usr/bin/firefox-esr',
    defaultViewport: SIZE,
    timeout: PATIENCE_MS,
    protocolTimeout: PATIENCE_MS,
  })
  const page = await firefox.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  return {
    async open(url) {
      await page.goto(url)
    },
    evaluate: <Value>(expression: string) => page.evaluate(expression) as Promise<Value>,
    press: button => page.locator(`::-p-aria([name="${button}"][role="button"])`).click(),
    async fill(field, text) {
      // Searches without a role, because a password field has none. A click on the label focuses the field.
      await page.locator(`::-p-aria([name="${field}"])`).click()
      await page.keyboard.down('Control')
      await page.keyboard.press('a')
      await page.keyboard.up('Control')
      await page.keyboard.type(text)
    },
    close: () => firefox.close(),
  }
}
