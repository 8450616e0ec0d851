import { fileURLToPath } from 'node:url'
import { test } from '@playwright/test'
import { TOLERANCE } from '../../web/messages.ts'

const SOURCE = new URL('card.html', import.meta.url)
const PICTURE = fileURLToPath(new URL('../../web/public/card.png', import.meta.url))

test('the card of a shared link', async ({ browser }) => {
  const page = await browser.newPage({ viewport: { width: 1_200, height: 630 } })
  await page.goto(SOURCE.href)
  const rule = `Within ${TOLERANCE} of the target and the whole pool is yours.`
  await page.evaluate(`document.querySelector('.rule').append('${rule}')`)
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: PICTURE })
  await page.close()
})
