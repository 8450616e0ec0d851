import { describe, expect, test } from 'vitest'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

/** The tags of the page's head that cards for shared links are made of. */
async function tags(url: string): Promise<Map<string, string>> {
  const html = await (await fetch(url)).text()
  const found = html.matchAll(/<meta\s+property="(og:[\w:]+)"\s+content="([^"]*)"/g)
  return new Map(Array.from(found, ([, name = '', content = '']) => [name, content]))
}

test('a shared link shows a card whose addresses are those of PUBLIC_URL', async () => {
  const { url } = await world.addNode({ publicUrl: 'https://taps.example.org' })
  const card = await tags(url)
  expect(card.get('og:url')).toBe('https://taps.example.org/')
  expect(card.get('og:image')).toBe('https://taps.example.org/card.png')
  expect(card.get('og:title')).toMatch(/^TAPS/)
})

test('whoever asks by another Host gets the same addresses', async () => {
  const { url } = await world.addNode({ publicUrl: 'https://taps.example.org' })
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
  expect(await (await fetch(url, { headers })).text()).not.toContain('evil')
})

test('the picture of the card is there, in the size that its tags say', async () => {
  const card = await tags(world.game.url)
  const picture = await fetch(world.game.url + card.get('og:image'))
  expect(picture.headers.get('content-type')).toBe('image/png')
  const header = Buffer.from(await picture.arrayBuffer())
  // The header chunk of a PNG begins with width and height.
  expect(`${header.readUInt32BE(16)}`).toBe(card.get('og:image:width'))
  expect(`${header.readUInt32BE(20)}`).toBe(card.get('og:image:height'))
})

describe.each(['br', 'gzip', 'identity'])('a browser that takes %s', encoding => {
  const headers = { 'accept-encoding': encoding }

  test('gets the same page, and is told when it has it already', async () => {
    const page = await fetch(world.game.url, { headers })
    expect(page.headers.get('content-encoding') ?? 'identity').toBe(encoding)
    expect(await page.text()).toContain('Loading...')
    const etag = page.headers.get('etag') ?? ''
    const again = await fetch(world.game.url, { headers: { ...headers, 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  test('gets the code of the page in that form, to keep for good', async () => {
    const html = await (await fetch(world.game.url)).text()
    const [script] = /\/assets\/index-[\w-]+\.js/.exec(html) ?? []
    const code = await fetch(`${world.game.url}${script}`, { headers })
    expect(code.status).toBe(200)
    expect(code.headers.get('content-encoding') ?? 'identity').toBe(encoding)
    expect(code.headers.get('cache-control')).toContain('immutable')
  })
})

test.each(['/index.html', '/index.html.br', '/assets/', '/assets/..%2f..%2f..%2fpackage.json'])(
  '%s is not a file of the page',
  async path => {
    const answer = await fetch(world.game.url + path)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  },
)
