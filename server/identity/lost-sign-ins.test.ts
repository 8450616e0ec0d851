import { describe, expect, test } from 'vitest'
import type { Session } from '../../contract/api.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** A browser that has just created an account. */
async function account(username: string) {
  const client = world.newcomer()
  await client.session()
  const { body } = await client.createAccount(username, PASSWORD)
  return { client, body }
}

describe('a sign-in whose answer was lost', () => {
  /** The guest's own cookie is all that is left in the browser. */
  async function lostAnswer(how: 'login' | 'createAccount', username: string) {
    const browser = world.newcomer()
    await browser.session()
    const { body } = await browser.copy()[how](username, PASSWORD)
    return { browser, user: body.user }
  }

  test.each(['login', 'createAccount'] as const)('signs nobody in who only comes back (%s)', async how => {
    const username = `Tunnel ${how}`
    if (how === 'login') await account(username)
    const { browser } = await lostAnswer(how, username)
    const copy = browser.copy()
    for (const guest of [browser, copy, browser]) {
      const { body, headers } = await guest.get<Session>('/api/session')
      expect(body.user).toBeNull()
      expect(headers.getSetCookie().filter(cookie => cookie.includes('session='))).toEqual([])
    }
  })

  test.each(['login', 'createAccount'] as const)('is repaired by sending it again (%s)', async how => {
    const username = `Bridge ${how}`
    if (how === 'login') await account(username)
    const { browser, user } = await lostAnswer(how, username)
    expect((await browser[how](username, PASSWORD)).body.user).toEqual(user)
    expect([...browser.cookies.keys()]).toEqual(['taps-session'])
    expect((await browser.session()).user).toEqual(user)
  })

  test('has brought the held prize along: signing in anywhere finds it', async () => {
    await account('Viaduct')
    const browser = world.newcomer()
    const { body: won } = await browser.play((await browser.session()).round, 0)
    await browser.copy().login('Viaduct', PASSWORD)
    expect((await browser.session()).prize).toBeNull()
    expect((await world.newcomer().login('Viaduct', PASSWORD)).body.prize).toEqual({
      taps: won.attempt.won_taps,
      held_until: null,
      held_seconds: null,
    })
  })

  test('leaves the session that the browser has, when that is the same account', async () => {
    const { client, body } = await account('Gangway')
    await client.copy().login('Gangway', PASSWORD)
    expect((await client.session()).user).toEqual(body.user)
  })
})
