import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TestGame } from '../../tests/support/game.ts'
import { openSocket } from '../../tests/support/wire.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

/** The path of the page's script. */
let script = ''
let named: TestGame
beforeAll(async () => {
  named = await world.addNode({ publicUrl: 'https://taps.example.org' })
  const html = await (await fetch(world.game.url)).text()
  script = /\/assets\/index-[\w-]+\.js/.exec(html)?.[0] ?? 'none'
})

/** Reads the page's Open Graph tags, which other sites use for link previews. */
async function tags(url: string, headers = {}): Promise<Map<string, string>> {
  const html = await (await fetch(url, { headers })).text()
  const found = html.matchAll(/<meta\s+property="(og:[\w:]+)"\s+content="([^"]*)"/g)
  return new Map(Array.from(found, ([, name = '', content = '']) => [name, content]))
}

test('builds the URLs of the link preview from PUBLIC_URL, whatever the request headers say', async () => {
  const card = await tags(named.url, { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' })
  expect(card.get('og:url')).toBe('https://taps.example.org/')
  expect(card.get('og:image')).toBe('https://taps.example.org/card.png')
  expect(card.get('og:title')).toMatch(/^TAPS/)
})

test('gives the page a footer link only when ABOUT_URL is set', async () => {
  const aboutUrl = 'https://example.org/imprint?a=1&b=$&'
  const html = await (await fetch((await world.addNode({ aboutUrl })).url)).text()
  expect(html).toContain('<meta name="about" content="https://example.org/imprint?a=1&amp;b=$&amp;"></head>')
  expect(await (await fetch(world.game.url)).text()).not.toContain('name="about"')
})

test("serves the preview image in the size that the page's tags state", async () => {
  const card = await tags(world.game.url)
  const picture = await fetch(world.game.url + card.get('og:image'))
  expect(picture.headers.get('content-type')).toBe('image/png')
  const header = Buffer.from(await picture.arrayBuffer())
  // The header chunk of a PNG begins with width and height.
  expect(`${header.readUInt32BE(16)}`).toBe(card.get('og:image:width'))
  expect(`${header.readUInt32BE(20)}`).toBe(card.get('og:image:height'))
})

describe.each(['br', 'gzip', 'identity'])('a browser that accepts %s', encoding => {
  const headers = { 'accept-encoding': encoding }

  test('gets the page in that encoding, and 304 when the page has not changed', async () => {
    const page = await fetch(world.game.url, { headers })
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect(page.headers.get('content-encoding') ?? 'identity').toBe(encoding)
    expect(page.headers.get('cache-control')).toBe('no-cache')
    expect(await page.text()).toContain('Loading...')
    const etag = page.headers.get('etag') ?? ''
    const again = await fetch(world.game.url, { headers: { ...headers, 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  test('gets the script in that encoding, and may cache it permanently', async () => {
    const code = await fetch(world.game.url + script, { headers })
    expect(code.status).toBe(200)
    expect(code.headers.get('content-encoding') ?? 'identity').toBe(encoding)
    expect(code.headers.get('cache-control')).toContain('immutable')
    await code.arrayBuffer()
  })
})

test('lets no cache keep the script that watches the start, which has the same name in every release', async () => {
  const start = await fetch(`${world.game.url}/start.js`)
  expect(start.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect(start.headers.get('cache-control')).toBe('no-store')
  await start.arrayBuffer()
})

test('serves the page about the API, and compresses its script', async () => {
  const pages = await Promise.all(['/api/docs', '/api/docs/'].map(path => fetch(world.game.url + path)))
  for (const page of pages) {
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect(await page.text()).toContain('/api/docs/swagger-ui-bundle.js')
  }
  const headers = { 'accept-encoding': 'br' }
  const code = await fetch(`${world.game.url}/api/docs/swagger-ui-bundle.js`, { headers })
  expect(code.headers.get('content-encoding')).toBe('br')
  expect(await code.text()).toContain('SwaggerUIBundle')
})

test('redirects no request, whatever host and path the request names', async () => {
  const paths = [
    '',
    '/',
    '/api/docs',
    '/api/docs/static/index.html',
    '/api/docs/json',
    '/assets',
    '//evil.example',
  ]
  for (const path of paths) {
    const socket = await openSocket(world.game.url)
    socket.end(`GET http://evil.example${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)
    const answer = await text(socket)
    expect(answer, path).toMatch(/^HTTP\/1\.1 (200|404) /)
    expect(answer, path).not.toMatch(/^location:/im)
  }
})

test('serves no source maps', async () => {
  const { status } = await fetch(`${world.game.url}${script}.map`)
  expect(status).toBe(404)
})

test('sends Vary for every compressed file, so that caches keep the encodings apart', async () => {
  for (const path of ['/', script, '/icon.svg']) {
    const { headers } = await fetch(world.game.url + path, { method: 'HEAD' })
    expect(headers.get('vary'), path).toBe('accept-encoding')
  }
})
