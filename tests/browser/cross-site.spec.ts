import { chromium, type Page } from '@playwright/test'
import { CALLS } from '../../contract/api.ts'
import { findChromium } from '../support/chromium.ts'
import { Player } from '../support/page-player.ts'
import { makeAccount } from './accounts.ts'
import { type OtherSite, openOtherSite } from './other-site.ts'
import { expect, LONG_ONLY, longUnless, test } from './test.ts'

type Place = 'sameHost' | 'otherHost'

const PLACES: readonly Place[] = ['sameHost', 'otherHost']

const UNSAFE = Object.values(CALLS).filter(({ method }) => method !== 'GET')

const READS = Object.values(CALLS).filter(({ method }) => method === 'GET')

const SIMPLE_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']

let site: OtherSite

test.beforeAll(async () => {
  site = await openOtherSite()
})

test.afterAll(() => site.close())

// The browser's complaints about refused requests do not matter here.
test.beforeEach(({ complaints }) => complaints.expect(/./))

/** A page of the other site in a player's browser. */
async function lure({ page }: Player, place: Place): Promise<Page> {
  const lured = await page.context().newPage()
  await lured.goto(site[place])
  return lured
}

/** Takes a page to an address, as a link on it would. */
async function follow(lured: Page, url: string): Promise<void> {
  await lured.evaluate(`location.assign(${JSON.stringify(url)})`)
  await lured.waitForURL(url)
}

/** How often the server has answered a call with a status. */
async function answered(game: string, route: string, status: string): Promise<number> {
  const figures = await (await fetch(`${game}/metrics`)).text()
  const name = `taps_request_seconds_count{route="${route}",status="${status}"} `
  const line = figures.split('\n').find(figure => figure.startsWith(name))
  return Number(line?.slice(name.length) ?? 0)
}

/** Lets the page send requests to the game; returns the outcome of each fetch as its script sees it. */
function fetches(lured: Page, urls: readonly string[], options: object): Promise<string[]> {
  return lured.evaluate<string[]>(`Promise.all(${JSON.stringify(urls)}.map(url =>
    fetch(url, ${JSON.stringify(options)}).then(
      async answer => answer.type + (await answer.text()),
      error => error.name,
    )))`)
}

/** Submits a form, which navigates the page to its answer. */
async function submit(lured: Page, url: string, enctype: string): Promise<number> {
  const answer = lured.waitForResponse(url)
  await lured.evaluate(`(() => {
    const form = Object.assign(document.createElement('form'), {
      method: 'post', action: ${JSON.stringify(url)}, enctype: ${JSON.stringify(enctype)},
    })
    const field = Object.assign(document.createElement('input'), { name: '{"password":"x', value: '"}' })
    form.append(field)
    document.body.append(form)
    form.submit()
  })()`)
  await lured.waitForURL(url)
  return (await answer).status()
}

for (const place of PLACES) {
  // The browser sends cookies to another port of the host as well: this is the case that the server must refuse.
  const length = longUnless(place === 'sameHost')
  test.describe(`a page on ${place === 'sameHost' ? 'another port' : 'another host'}`, length, () => {
    test('can send nothing that counts: the account stays signed in, its prize unclaimed', async ({
      player,
      server,
    }) => {
      const name = await makeAccount(server)
      await player.logIn(name)
      const taps = await player.win()
      const lured = await lure(player, place)
      const urls = UNSAFE.map(({ url }) => server.url + url)
      const refusals = () => Promise.all(UNSAFE.map(({ url }) => answered(server.url, url, '403')))
      const before = await refusals()

      for (const type of SIMPLE_TYPES) {
        const request = { method: 'POST', mode: 'no-cors', body: '{}', headers: { 'content-type': type } }
        for (const credentials of ['include', 'omit']) {
          expect(await fetches(lured, urls, { ...request, credentials })).toEqual(
            urls.map(() => expect.stringMatching(/^(opaque|TypeError)$/)),
          )
        }
      }
      const json = { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' } }
      expect(new Set(await fetches(lured, urls, { ...json, body: '{}' }))).toEqual(new Set(['TypeError']))
      const sent = 2 * SIMPLE_TYPES.length
      expect(await refusals()).toEqual(before.map(count => count + sent))

      for (const type of SIMPLE_TYPES) {
        await lured.goto(site[place])
        expect(await submit(lured, `${server.url}/api/claim`, type)).toBe(403)
      }
      await player.page.reload()
      await expect(player.button(`Claim ${taps} TAPS`)).toBeVisible()
    })

    test('can read nothing: no answer and no stream', async ({ player, server }) => {
      const name = await makeAccount(server)
      await player.logIn(name)
      await player.expectLoggedIn(name)
      const lured = await lure(player, place)
      const urls = [...READS.map(({ url }) => url), '/', '/api/openapi.json', '/metrics'].map(
        path => server.url + path,
      )
      for (const credentials of ['include', 'omit']) {
        expect(new Set(await fetches(lured, urls, { credentials }))).toEqual(new Set(['TypeError']))
        const unread = await fetches(lured, urls, { credentials, mode: 'no-cors' })
        expect(unread.join()).not.toContain('{')
      }
      const stream = await lured.evaluate(`new Promise(resolve => {
        const source = new EventSource('${server.url}/api/live', { withCredentials: true })
        source.onopen = () => resolve('open')
        source.onerror = () => resolve('error')
      })`)
      expect(stream).toBe('error')
    })

    test('cannot show the game in a frame', async ({ player, server }) => {
      const lured = await lure(player, place)
      for (const path of ['/', '/api/docs', '/api/prize-pool']) {
        await lured.evaluate(`new Promise(resolve => {
          const frame = document.createElement('iframe')
          frame.onload = resolve
          frame.src = '${server.url}${path}'
          document.body.replaceChildren(frame)
        })`)
        const urls = lured.frames().map(frame => frame.url())
        expect(
          urls.filter(url => url.startsWith(server.url)),
          path,
        ).toEqual([])
      }
    })

    test('loses sight of a window in which it opens the game', async ({ player, server }) => {
      const lured = await lure(player, place)
      const opened = lured.waitForEvent('popup')
      await lured.evaluate(`void (globalThis.opened = open('${server.url}'))`)
      const popup = new Player(await opened)
      await expect(popup.startButton).toBeEnabled()
      expect(await lured.evaluate('opened.closed')).toBe(true)
      expect(await popup.page.evaluate('opener')).toBeNull()
    })

    test('cannot make a guest somebody else by opening an address of the API', async ({ player, server }) => {
      const taps = await player.win()
      const lured = await lure(player, place)
      for (const { url } of READS) {
        await lured.goto(site[place])
        await follow(lured, server.url + url)
      }
      await player.page.reload()
      await expect(player.wonHeading).toHaveText(`${taps} TAPS`)
    })
  })
}

test(
  'on plain http, where a browser names only the origin, another site gets no further',
  LONG_ONLY,
  async ({ server }) => {
    const { executablePath, env } = await findChromium()
    const browser = await chromium.launch({
      executablePath,
      env: { ...process.env, ...env },
      args: ['--host-resolver-rules=MAP *.test 127.0.0.1'],
    })
    try {
      const game = server.url.replace('127.0.0.1', 'taps.test')
      const elsewhere = site.otherHost.replace('localhost', 'evil.test')
      const context = await browser.newContext()
      const page = await context.newPage()
      const player = new Player(page)
      await page.goto(game)
      const name = await makeAccount(server)
      await player.logIn(name)
      await player.expectLoggedIn(name)

      const lured = await context.newPage()
      await lured.goto(elsewhere)
      const request = lured.waitForRequest(`${game}/api/logout`)
      expect(await submit(lured, `${game}/api/logout`, 'text/plain')).toBe(403)
      const { origin, ...headers } = await (await request).allHeaders()
      expect(origin).toBe(elsewhere)
      expect(headers).not.toHaveProperty('sec-fetch-site')

      await page.reload()
      await player.expectLoggedIn(name)
      // A window opened by another site creates no new guest.
      await player.button('Logout').click()
      await expect(player.button('Login')).toBeVisible()
      const cookies = async () => (await context.cookies(game)).map(({ value }) => value)
      await expect.poll(cookies).toHaveLength(1)
      const before = await cookies()
      await lured.goto(elsewhere)
      await follow(lured, `${game}/api/session`)
      expect(await cookies()).toEqual(before)
    } finally {
      await browser.close()
    }
  },
)
