import { expect, test } from 'vitest'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld({ trustProxy: ['loopback'] })
const TLS = { 'x-forwarded-proto': 'https' }
const PASSWORD = 'correct horse battery'

test('over TLS a cookie without the prefix is nobody: any host of the same domain could have set it', async () => {
  const victim = world.newcomer()
  const attacker = world.newcomer()
  await attacker.createAccount('Attacker', PASSWORD)
  await victim.send('/api/session', { headers: TLS })
  const own = await victim.send<{ round: { token: string } }>('/api/session', { headers: TLS })
  for (const [name, value] of attacker.cookies) victim.cookies.set(name, value)
  const tossed = await victim.send<{ user: unknown; round: { token: string } }>('/api/session', {
    headers: TLS,
  })
  expect(tossed.body.user).toBeNull()
  expect(tossed.body.round).toEqual(own.body.round)
})

test('signing in makes a new session, whatever session somebody has put into the browser before', async () => {
  const victim = world.newcomer()
  await victim.createAccount('Fixed', PASSWORD)
  const planted = 'A'.repeat(43)
  const browser = world.newcomer()
  browser.cookies.set('taps-session', planted)
  expect((await browser.login('Fixed', PASSWORD)).status).toBe(200)
  expect(browser.cookies.get('taps-session')).not.toBe(planted)
  const thief = world.newcomer()
  thief.cookies.set('taps-session', planted)
  expect((await thief.session()).user).toBeNull()
})
