import { expect, test } from './test.ts'

test('the page says "Loading..." until the session is there', async ({ visit }) => {
  const { page, startButton } = await visit()
  let answer = (): void => undefined
  const held = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route('**/api/session', async route => {
    await held
    await route.continue()
  })
  await page.goto('/')
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'TAPS' })).toBeVisible()
  await expect(startButton).toBeHidden()

  answer()
  await expect(startButton).toBeEnabled()
  await expect(page.getByText('Loading...')).toBeHidden()
})

test('the page says that the server cannot be reached, goes on trying, and recovers', async ({
  visit,
  complaints,
}) => {
  complaints.expect(/net::ERR_CONNECTION_REFUSED/)
  const { page, startButton } = await visit()
  await page.route('**/api/session', route => route.abort('connectionrefused'))
  await page.goto('/')
  await expect(page.getByText('The server cannot be reached yet; trying again.')).toBeVisible()
  await expect(page.getByText('Loading...')).toBeVisible()

  await page.unroute('**/api/session')
  await expect(startButton).toBeEnabled()
})
