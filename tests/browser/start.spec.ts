import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Route } from '@playwright/test'
import { expect, test } from './test.ts'

const MISSING = 'Part of the page did not arrive. Trying again...'
const TOO_OLD = 'TAPS needs Chrome or Edge 117, Firefox 121, Safari 16.4, or later.'

/** The files of a page from another release, which this node does not know, and scripts that cannot run. */
const FAULTS: readonly [string, string, (route: Route) => Promise<void>][] = [
  ['the script is unknown', '/assets/index-*.js', route => route.fulfill({ status: 404, body: '{}' })],
  ['the style sheet is unknown', '/assets/index-*.css', route => route.fulfill({ status: 404, body: '{}' })],
  [
    'a portal answers for the script',
    '/assets/index-*.js',
    route => route.fulfill({ contentType: 'text/html', body: '<h1>Wi-Fi</h1>' }),
  ],
  [
    'the script is cut off',
    '/assets/index-*.js',
    route => route.fulfill({ contentType: 'text/javascript', body: 'const a = {' }),
  ],
  [
    'the script throws',
    '/assets/index-*.js',
    route => route.fulfill({ contentType: 'text/javascript', body: 'throw new TypeError("no")' }),
  ],
]

for (const [what, path, fault] of FAULTS) {
  test(`says so when ${what}, and starts by itself once the files come`, async ({ visit, complaints }) => {
    complaints.expect(/Failed to load|MIME type|TypeError: no|SyntaxError/)
    const { page, startButton } = await visit()
    await page.route(path, fault)
    await page.goto('/')
    await expect(page.getByText('Loading...')).toBeVisible()
    await expect(page.getByText(MISSING)).toBeVisible()
    await expect(page.getByText(TOO_OLD)).toHaveCount(0)
    await page.unroute(path)
    await expect(startButton).toBeEnabled()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })
}

test('a wall waits for its own script, and reloads only when the server answers', async ({
  visit,
  complaints,
}) => {
  complaints.expect(/Failed to load|net::ERR_FAILED/)
  const player = await visit()
  const { page } = player
  await page.route('/assets/BoardMode-*.js', route => route.fulfill({ status: 404, body: '{}' }))
  await page.goto('/#board')
  await expect(page.getByText(MISSING)).toBeVisible()
  await page.route('/', route => route.abort())
  await expect(async () =>
    expect(Number(await page.evaluate('sessionStorage["taps-start-tries"]'))).toBeGreaterThan(1),
  ).toPass()
  await expect(page.getByText(MISSING)).toBeVisible()
  await page.unrouteAll()
  await expect(player.region('Leaderboard')).toBeVisible()
})

test('a browser that is too old reads which ones the game needs, and does not reload', async ({
  visit,
  complaints,
}) => {
  complaints.expect(/SyntaxError/)
  const { page } = await visit()
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await page.addInitScript(`CSS.supports = () => false`)
  await page.route('/assets/index-*.js', route =>
    route.fulfill({ contentType: 'text/javascript', body: 'let newer = #syntax' }),
  )
  await page.clock.install()
  await page.goto('/')
  await expect(page.getByText(TOO_OLD)).toBeVisible()
  await page.clock.runFor(120_000)
  expect(loads).toBe(1)
})

test('plays under a name of emoji in a browser without Intl.Segmenter and the flag v', async ({ visit }) => {
  const player = await visit()
  await player.page.addInitScript(`{
    delete Intl.Segmenter
    const Native = RegExp
    globalThis.RegExp = new Proxy(Native, {
      construct(target, [pattern, flags = '', ...more]) {
        if (flags.includes('v')) throw new SyntaxError('Invalid flags')
        return Reflect.construct(target, [pattern, flags, ...more])
      },
    })
  }`)
  await player.open()
  await player.username.fill('👩‍👩‍👧‍👦 Ola 🏳️‍🌈')
  await player.play(-412)
  await expect(player.attempts).toContainText('👩‍👩‍👧‍👦 Ola 🏳️‍🌈')
  await expect(player.region('Recent attempts').getByText('live', { exact: true })).toBeVisible()
})

/** Opens a proxy that asks for a name and a password. Returns its port, and the calls that came without them. */
async function openBasicAuth(target: string) {
  const refused: string[] = []
  const asked: string[] = []
  const expected = `Basic ${Buffer.from('ada:secret').toString('base64')}`
  const proxy = createServer((request, response) => {
    const { url = '/', method, headers } = request
    if (headers.authorization !== expected) {
      refused.push(url)
      response.writeHead(401, { 'www-authenticate': 'Basic realm="game"' }).end()
      return
    }
    asked.push(url)
    const onward = forward(new URL(url, target), { method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    // The page has left.
    onward.on('error', () => response.destroy())
    request.pipe(onward)
    response.on('close', () => onward.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return { proxy, port: (proxy.address() as AddressInfo).port, refused, asked }
}

test('plays at an address with the name and password of Basic auth, whose fragment is kept', async ({
  visit,
  server,
}) => {
  const { proxy, port, asked } = await openBasicAuth(server.url)
  const player = await visit({ baseURL: `http://127.0.0.1:${port}` })
  const { page } = player
  await page.goto(`http://ada:secret@127.0.0.1:${port}/#by=mira&beat=0.130`)
  await expect(page.locator('.rule bdi')).toHaveText('mira')
  await player.play(-412)
  await expect(player.region('Recent attempts').getByText('live', { exact: true })).toBeVisible()
  const { url, data } = await (await page.context().newCDPSession(page)).send('Page.getAppManifest')
  expect([new URL(url).pathname, data?.includes('"TAPS"')]).toEqual(['/manifest.webmanifest', true])
  expect(
    asked.filter(path => path === '/'),
    'the page is left once',
  ).toHaveLength(2)
  await page.goto(`http://ada:secret@127.0.0.1:${port}/#board&show=attempts`)
  await expect(player.region('Recent attempts')).toContainText('−0.412 s')
  await page.goto('about:blank')
  proxy.closeAllConnections()
  proxy.close()
})
