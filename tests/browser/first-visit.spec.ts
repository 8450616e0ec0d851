import { PROBLEMS } from '../../contract/problems.ts'
import { expect, test } from './test.ts'

const HANDLE = /^[A-Z][a-z]+ [A-Z][a-z]+ [1-9]\d{0,2}$/

test('a guest gets a generated handle and sees a dot that glides until the first press; a typed name is trimmed when recorded and survives a reload', async ({
  player,
}) => {
  const { page, username } = player
  const dot = page.locator('.dot--waiting')
  await expect(dot).toHaveCSS('animation-name', 'glide')
  await expect(dot).toHaveCSS('animation-duration', '1.6s')
  await page.keyboard.press('Shift')
  await expect(dot).toHaveCSS('animation-name', 'none')
  await expect(username).toHaveValue(HANDLE)
  await player.expectBalance(0)

  await username.fill('  Grace Hopper  ')
  await player.play(321)
  const name = player.attempts.first().getByText('Grace Hopper')
  await expect(name).toBeVisible()
  expect(await name.textContent()).toBe('Grace Hopper')
  await page.reload()
  await expect(username).toHaveValue(/Grace Hopper/)
  await expect(dot).toHaveCSS('animation-name', 'none')
})

test('Start refuses a forbidden name, shows the reason next to the field and keeps the target', async ({
  player,
  complaints,
}) => {
  complaints.expect(/400 \(Bad Request\)/)
  const { page, username } = player
  await page.setViewportSize({ width: 320, height: 568 })
  const answer = await player.holdBack('**/api/rounds')
  await username.fill('Fück')
  const target = await player.start()
  answer()
  const reason = page.getByText('This name cannot be used here; please choose another')
  await expect(reason).toBeInViewport({ ratio: 1 })
  await expect(player.startButton, 'the run ends immediately').toBeEnabled()
  await expect(username).toBeFocused()
  await expect(username).toHaveAttribute('aria-invalid', 'true')
  await expect(username).toHaveAccessibleDescription(/^This name cannot be used here/)
  await expect(player.region('Result').getByRole('definition')).toHaveCount(0)
  await username.fill('W'.repeat(33))
  await expect(username, 'said while typing').toHaveAccessibleDescription('A name has at most 32 characters')
  await username.fill('Polite')
  await expect(username).toHaveAccessibleDescription('')
  expect(await player.play(321)).toBe(target)
  await expect(player.attempts.first()).toContainText('Polite')
})

const { status, title: crowded } = PROBLEMS.too_many_requests

test('the page shows "Loading..." until the session has loaded, says why that takes long, and retries', async ({
  visit,
  complaints,
}) => {
  complaints.expect(/status of 429/)
  const { page, startButton } = await visit()
  await page.route('**/api/session', route =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Welcome to the Wi-Fi</h1>' }),
  )
  const refusal = { status, code: 'too_many_requests', title: crowded }
  await page.route(
    '**/api/session',
    route =>
      route.fulfill({
        ...{
          status,
          contentType: 'application/problem+json',
          headers: { 'retry-after': '1' },
          json: refusal,
        },
      }),
    { times: 1 },
  )
  await page.goto('/')
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Many people are joining from here. You are next in 1 s.$/)).toBeVisible()
  const title = page.getByRole('heading', { level: 1, name: 'TAPS' })
  await expect(title).toBeVisible()
  await expect(page.getByText('The server cannot be reached yet; trying again.')).toBeVisible()
  const place = await title.boundingBox()
  await expect(startButton).toBeHidden()

  await page.unrouteAll()
  await expect(startButton).toBeEnabled()
  await expect(page.getByText('Loading...')).toBeHidden()
  expect(await title.boundingBox(), 'the title has not moved').toEqual(place)
  const { page: scriptless } = await visit({ javaScriptEnabled: false })
  await scriptless.goto('/')
  expect(await scriptless.getByRole('heading', { level: 1 }).boundingBox()).toEqual(place)
})

test('the API documentation works under the content security policy and contacts no other site', async ({
  player,
}) => {
  const { page } = player
  await page.goto('/api/docs')
  await page.getByRole('button', { name: 'get /api/prize-pool', exact: true }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await expect(page.getByRole('row', { name: /^200 Response body .*"taps": \d+/ })).toBeVisible()
  // A policy violation or a request to another site would be a complaint and fail the test.
})
