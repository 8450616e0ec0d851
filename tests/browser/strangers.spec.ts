import { PASSWORD, type Player } from '../support/page-player.ts'
import { type ForeignAnswer, HttpRelay } from '../support/relay.ts'
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

const html = { 'content-type': 'text/html' }

const STRANGERS: readonly [name: string, answer: ForeignAnswer][] = [
  ["a router's 404", { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' }],
  ["a portal's page", { status: 200, headers: html, body: '<h1>Welcome to the Wi-Fi</h1>' }],
  ['a redirect', { status: 307, headers: { location: '/api/session' } }],
]

const UNREACHABLE = 'Could not reach the game. Please try again.'
const PLAY = ['/api/rounds', '/api/attempts']

test('a round is kept, sent again and recorded once when strangers answer Start and Stop', async ({
  relay,
  visitor,
}) => {
  await visitor.open()
  for (const [index, [name, answer]] of STRANGERS.entries()) {
    relay.answer(PLAY, answer)
    await visitor.start()
    await visitor.stop(300 + index)
    const kept = visitor.page.getByText('Your attempt is saved here until the server answers.')
    await expect(kept, name).toBeVisible()
    await expect(visitor.startButton, name).toBeDisabled()
    relay.stopAnswering()
    await expect(visitor.startButton, name).toBeEnabled()
    await expect(kept, name).toBeHidden()
    await expect(visitor.attempts.first(), name).toContainText(`+0.30${index} s`)
  }
  const recorded = await visitor.page.request.get('/api/attempts/mine')
  expect((await recorded.json()).attempts).toHaveLength(STRANGERS.length)
})

test('the first session is asked for until the game answers', async ({ relay, visitor }) => {
  for (const [name, answer] of STRANGERS) {
    relay.answer(['/api/session'], answer)
    await visitor.page.goto('/')
    await expect(visitor.page.getByText(/cannot be reached yet/), name).toBeVisible()
    relay.stopAnswering()
    await expect(visitor.startButton, name).toBeEnabled()
  }
})

test('a login, claim and logout that a stranger answers could not reach the game', async ({
  relay,
  visitor,
}) => {
  const name = `Stranger ${process.pid}`
  const { page } = visitor
  await visitor.open()
  await visitor.start()
  await visitor.stop(30)
  await visitor.settleClaim()
  const won = (await visitor.wonHeading.innerText()).replace(/\D/g, '')
  await visitor.username.fill(name)
  await visitor.password.fill(PASSWORD)
  const signUp = visitor.button(`Create account & claim ${won} TAPS`)
  const claim = visitor.button(`Claim ${won} TAPS`)
  const refused = page.getByRole('alert').getByText(UNREACHABLE)
  for (const [name, answer] of STRANGERS) {
    relay.answer(['/api/users'], answer)
    await signUp.click()
    await expect(refused, name).toBeVisible()
    await visitor.password.fill(PASSWORD)
    await expect(refused, name).toBeHidden()
  }
  relay.stopAnswering()
  relay.answer(['/api/claim'], { status: 200, headers: html, body: '<h1>Welcome</h1>' })
  await signUp.click()
  await expect(claim).toBeVisible()
  await expect(refused).toBeVisible()
  relay.stopAnswering()
  await claim.click()
  await visitor.expectBalance(Number(won))

  relay.answer(['/api/logout'], { status: 200, headers: html, body: '<h1>Welcome</h1>' })
  await visitor.button('Logout').click()
  await expect(page.getByText(UNREACHABLE)).toBeVisible()
  await visitor.expectLoggedIn(name)
  relay.stopAnswering()
  await visitor.button('Logout').click()
  await expect(visitor.button('Login')).toBeVisible()

  relay.answer(['/api/login'], { status: 401, headers: html, body: '<h1>Who are you?</h1>' })
  await visitor.logIn(name)
  await expect(refused).toBeVisible()
  relay.stopAnswering()
  await visitor.button('Login').click()
  await visitor.expectLoggedIn(name)
})

for (const [screen, path] of [
  ['the page', '/'],
  ['a wall display', '/#board'],
] as const) {
  test(`${screen} notices a silent stream within 45 s, reads the boards and opens another stream`, async ({
    relay,
    visitor,
    player: other,
  }) => {
    const { page } = visitor
    const status = (text: string) => visitor.region('Recent attempts').getByText(text, { exact: true })
    await page.clock.install()
    await page.goto(path)
    await expect(status('live')).toBeVisible()
    relay.silence('/api/live')
    const pool = await other.pool()
    await other.username.fill(`Silent Otter ${path.length}`)
    await other.play(640)
    await page.clock.runFor(24_000)
    await expect(status('live')).toBeVisible()
    await page.clock.runFor(21_000)
    await expect(status('reconnecting')).toBeVisible()
    await visitor.expectPool(pool + 1)
    await expect(visitor.attempts.first()).toContainText(`Silent Otter ${path.length}`)

    await other.play(641)
    await page.clock.runFor(10_000)
    await visitor.expectPool(pool + 2)
    await expect(status('reconnecting'), 'while it polls').toBeVisible()
    relay.stopSilence()
    await page.clock.runFor(60_000)
    await expect(status('live')).toBeVisible()
  })
}

test("the player's own miss appears although the stream is silent", async ({ relay, visitor }) => {
  await visitor.open()
  const pool = await visitor.pool()
  await expect(visitor.region('Recent attempts').getByText('live', { exact: true })).toBeVisible()
  relay.silence('/api/live')
  for (const missed of [801, 802]) {
    await visitor.play(missed)
    await expect(visitor.attempts.first()).toContainText(`+0.${missed} s`)
  }
  await visitor.expectPool(pool + 2)
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

test('a visitor whose session came without its cookie plays the round that the refusal brought', async ({
  relay,
  visitor,
}) => {
  relay.dropsCookies = true
  await visitor.open()
  relay.dropsCookies = false
  await visitor.startButton.click()
  await expect(visitor.page.getByText(/^This round is no longer current/)).toBeVisible()
  await visitor.play(455)
  await expect(visitor.attempts.first()).toContainText('+0.455 s')
})
