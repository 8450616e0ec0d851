import { expect, test } from './test.ts'

test('the page about the API lists the endpoints, and sends a call, within the content security policy', async ({
  page,
  server,
  complaints,
}) => {
  complaints.listen(page.context(), new URL(server.url).origin)
  await page.goto(`${server.url}/api/docs`)
  const pool = page.locator('#operations-boards-prizePool')
  await pool.getByRole('button', { name: '/api/prize-pool' }).first().click()
  await pool.getByRole('button', { name: 'Try it out' }).click()
  await pool.getByRole('button', { name: 'Execute' }).click()
  await expect(pool.locator('.live-responses-table')).toContainText('"last_win"')
})
