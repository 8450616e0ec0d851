import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from '../support/client.ts'
import { expect, test } from './test.ts'

/** Serves the widget of docs/api.md on another site. Returns its address. */
async function serveWidget(gameUrl: string) {
  const [, widget = ''] = /```html\n(.*?)```/s.exec(await readFile('docs/api.md', 'utf8')) ?? []
  const page = `<!doctype html><title>A blog</title>${widget.replace('http://localhost:3000', gameUrl)}`
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/' ? 200 : 204, { 'content-type': 'text/html' }).end(url === '/' ? page : '')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

test('the widget in docs/api.md shows the pool and the last win on another site', async ({
  browser,
  server,
}) => {
  const blog = await serveWidget(server.url)
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('console', message => errors.push(message.text()))
  await page.goto(blog.url)
  await expect(page.locator('#pool')).toHaveText('0 TAPS in the pool')
  const player = new Client(server.url)
  await player.play(500)
  await expect(page.locator('#pool')).toHaveText('1 TAPS in the pool')
  await player.play(0, 'Tom & Jerry')
  await expect(page.locator('#pool')).toHaveText('0 TAPS in the pool, Tom & Jerry won the last 2')
  expect(errors).toEqual([])
  const session = page.evaluate(url => fetch(`${url}/api/session`).then(({ status }) => status), server.url)
  await expect(session, 'all other calls are closed').rejects.toThrow()
  expect(await page.context().cookies(server.url)).toEqual([])
  await page.close()
  blog.close()
})
