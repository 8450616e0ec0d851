import type { Route } from '@playwright/test'
import { PASSWORD, type Player } from '../support/page-player.ts'
import { HttpRelay } from '../support/relay.ts'
import { newName } from './accounts.ts'
import { test as base, expect } from './test.ts'

/** Something between the page and the game answers instead of the game, or falls silent. */
const test = base.extend<{ relay: HttpRelay; visitor: Player }>({
  relay: async ({ server }, use) => {
    const relay = await HttpRelay.open(server.url)
    await use(relay)
    await relay.cut()
  },
  visitor: async ({ relay, visit, complaints }, use) => {
    complaints.expect(/Failed to load resource/)
    await use(await visit({ baseURL: relay.url }))
  },
})

type Answer = Parameters<Route['fulfill']>[0]

const REDIRECT: Answer = { status: 307, headers: { location: '/api/session' } }
const ROUTER: Answer = { status: 404, contentType: 'text/plain', body: '404 page not found' }
const PORTAL: Answer = { status: 200, contentType: 'text/html', body: '<h1>Welcome to the Wi-Fi</h1>' }

const UNREACHABLE = 'Could not reach the game. Please try again.'

test('a session and a round are asked for again until the game answers, and the round is recorded once', async ({
  visitor,
}) => {
  const { page, startButton } = visitor
  await page.route('/api/session', route => route.fulfill(PORTAL))
  await page.goto('/')
  await expect(page.getByText(/cannot be reached yet/)).toBeVisible()
  await page.unrouteAll()
  await expect(startButton).toBeEnabled()

  await page.route('/api/rounds', route => route.fulfill(ROUTER))
  await page.route('/api/attempts', route => route.fulfill(REDIRECT))
  await visitor.start()
  await visitor.stop(300)
  const kept = page.getByText('Your attempt is saved here until the server answers.')
  await expect(kept).toBeVisible()
  await expect(startButton).toBeDisabled()
  await page.unrouteAll()
  await expect(startButton).toBeEnabled()
  await expect(kept).toBeHidden()
  await expect(visitor.attempts).toHaveText([/\+0\.300 s/])
})

test('a login, claim and logout that a stranger answers could not reach the game', async ({ visitor }) => {
  const { page } = visitor
  const name = newName()
  const refused = page.getByText(UNREACHABLE)
  await visitor.open()
  const won = await visitor.win()
  await visitor.username.fill(name)
  await visitor.password.fill(PASSWORD)
  await page.route('/api/users', route => route.fulfill(REDIRECT))
  await visitor.pressInClaim(`Create account & claim ${won} TAPS`)
  await expect(refused).toBeVisible()
  await visitor.password.fill(PASSWORD)
  await expect(refused).toBeHidden()
  await page.unrouteAll()
  await page.route('/api/claim', route => route.fulfill(PORTAL))
  await visitor.pressInClaim(`Create account & claim ${won} TAPS`)
  await expect(visitor.button(`Claim ${won} TAPS`)).toBeVisible()
  await expect(refused).toBeVisible()
  await page.unrouteAll()
  await visitor.pressInClaim(`Claim ${won} TAPS`)
  await visitor.expectBalance(won)

  await page.route('/api/logout', route => route.fulfill(PORTAL))
  await visitor.button('Logout').click()
  await expect(refused).toBeVisible()
  await visitor.expectLoggedIn(name)
  await page.unrouteAll()
  await visitor.button('Logout').click()
  await expect(visitor.button('Login')).toBeVisible()

  await page.route('/api/login', route => route.fulfill({ ...PORTAL, status: 401 }))
  await visitor.logIn(name)
  await expect(refused).toBeVisible()
  await page.unrouteAll()
  await visitor.button('Login').click()
  await visitor.expectLoggedIn(name)
})

test("a silent stream hides what others play for at most 45 s, and never the player's own miss", async ({
  relay,
  visitor,
  visit,
  player: other,
}) => {
  const { page } = visitor
  const status = (text: string) => visitor.region('Recent attempts').getByText(text, { exact: true })
  const missing = await visit({ baseURL: relay.url })
  await missing.open()
  await page.clock.install()
  await visitor.open()
  await expect(status('live')).toBeVisible()
  relay.silence('/api/live')
  await missing.play(801)
  await expect(missing.attempts.first()).toContainText('+0.801 s')
  await missing.expectPool(1)
  await other.play(640)
  await page.clock.runFor(45_000)
  await expect(status('reconnecting')).toBeVisible()
  await visitor.expectPool(2)
  await other.play(641)
  await page.clock.runFor(10_000)
  await visitor.expectPool(3)
  await expect(status('reconnecting'), 'while it polls').toBeVisible()
  relay.stopSilence()
  await page.clock.runFor(60_000)
  await expect(status('live')).toBeVisible()
})

const NEEDS_COOKIES = /^The game needs cookies/

test('a visitor without cookies reads that the game needs cookies, at Start and at a login', async ({
  relay,
  visitor,
}) => {
  const { page, startButton } = visitor
  relay.dropsCookies = true
  await visitor.open()
  for (const message of [/^This round is no longer current/, NEEDS_COOKIES]) {
    await startButton.click()
    await expect(page.getByText(message)).toBeVisible()
    await expect(startButton).toBeEnabled()
  }
  await visitor.button('Login').click()
  await visitor.username.fill(`Cookieless ${process.pid}`)
  await visitor.password.fill(PASSWORD)
  await visitor.button('Create account').click()
  await expect(startButton).toBeVisible()
  await expect(page.getByText(NEEDS_COOKIES)).toBeVisible()
  await expect(visitor.button('Login')).toBeVisible()
})
