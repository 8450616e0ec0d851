import puppeteer from 'puppeteer-core'
import { type Browser, PATIENCE_MS, SIZE } from './browser.ts'

/** Firefox by WebDriver BiDi, which it speaks itself: no driver stands between. */
export async function openFirefox(): Promise<Browser> {
  const firefox = await puppeteer.launch({
    browser: 'firefox',
    // Puppeteer takes no name that it would have to look for; Debian's is here.
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
      // A field for secrets has no role; a click on its label, which has the same name, leads to it as well.
      await page.locator(`::-p-aria([name="${field}"])`).click()
      await page.keyboard.down('Control')
      await page.keyboard.press('a')
      await page.keyboard.up('Control')
      await page.keyboard.type(text)
    },
    close: () => firefox.close(),
  }
}
