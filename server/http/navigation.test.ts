import { expect, test } from 'vitest'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

/** The Accept of each kind of client that sends no fetch metadata, over plain http. */
const ACCEPT = {
  Chrome: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  Safari: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  Java: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  curl: '*/*',
}
const LINKS = [{ accept: ACCEPT.Chrome }, { accept: ACCEPT.Safari }, { 'sec-fetch-mode': 'navigate' }]
const CALLS = [
  { accept: ACCEPT.Java },
  { accept: ACCEPT.curl },
  { accept: ACCEPT.Chrome, 'sec-fetch-mode': 'cors' },
  {},
]

const ask = (url: string, headers: object) => world.game.server.inject({ url, headers: { ...headers } })

test.each(LINKS)('a link to the session makes no guest: %j', async headers => {
  const answer = await ask('/api/session', headers)
  expect(answer.statusCode).toBe(403)
  expect(answer.json()).toMatchObject({ code: 'cross_site' })
  expect(answer.cookies).toEqual([])
})

test.each(CALLS)("a program's call of the session makes a guest: %j", async headers => {
  expect((await ask('/api/session', headers)).cookies).toHaveLength(1)
})

test.each(LINKS)('a link to an unknown address gets a page with a link to the game: %j', async headers => {
  const answer = await ask('/%23beat=0.130&by=mira', headers)
  expect(answer.statusCode).toBe(404)
  expect(answer.headers['content-type']).toMatch(/^text\/html/)
  expect(answer.body).toContain('<a href="/">Play TAPS</a>')
  expect(answer.body).toContain('rel="stylesheet"')
  expect(answer.body).not.toMatch(/<script|Loading/)
  expect((await ask('/api/nothing', headers)).json()).toMatchObject({ status: 404, code: 'not_found' })
})

test.each(CALLS)("a program's call of an unknown address is a problem: %j", async headers => {
  expect((await ask('/nothing', headers)).json()).toMatchObject({ status: 404, code: 'not_found' })
})
