import { describe, expect, test } from 'vitest'
import { Gate } from '../../tests/faults/gate.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'
const TLS = { 'x-forwarded-proto': 'https' }

test('the first visit makes a guest with a round and a cookie that scripts cannot read', async () => {
  const guest = world.newcomer()
  const { status, body, headers } = await guest.get('/api/session')
  expect(status).toBe(200)
  expect(body).toEqual({
    user: null,
    rank: null,
    prize: null,
    round: { token: expect.any(String), target_time: expect.any(Number) },
  })
  const [cookie, ...more] = headers.getSetCookie()
  expect(more).toEqual([])
  expect(cookie).toMatch(
    /^taps-player=[\da-f-]{36}\.[\w-]{22}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/,
  )
})

test('a returning guest is the same player and gets no other cookie', async () => {
  const guest = world.newcomer()
  const first = await guest.session()
  const { body, headers } = await guest.get('/api/session')
  expect(body).toEqual(first)
  expect(headers.getSetCookie()).toEqual([])
})

test('a forged cookie names no player', async () => {
  const guest = world.newcomer()
  const { round } = await guest.session()
  const cookie = guest.cookies.get('taps-player') ?? ''
  const altered = `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`
  for (const forged of [altered, 'A'.repeat(43), '%00']) {
    const forger = world.newcomer()
    forger.cookies.set('taps-player', forged)
    const { body, headers } = await forger.get<typeof round>('/api/session')
    expect(body).not.toMatchObject({ round })
    expect(headers.getSetCookie()).toHaveLength(1)
  }
})

describe('behind a proxy with TLS', () => {
  test('both cookies are for this host and TLS alone', async () => {
    const browser = world.newcomer(await world.addNode({ trustProxy: ['loopback'] }))
    const { headers: first } = await browser.send('/api/session', { headers: TLS })
    expect(first.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-taps-player=[\da-f-]{36}\.[\w-]{22}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ])
    const json = { username: 'Sealed', password: PASSWORD }
    const { headers } = await browser.send('/api/users', { method: 'POST', json, headers: TLS })
    expect(headers.getSetCookie().find(cookie => cookie.includes('session'))).toMatch(
      /^__Host-taps-session=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
  })

  test('a cookie without the prefix names no player, since any host of the domain could set it', async () => {
    const node = await world.addNode({ trustProxy: ['loopback'] })
    const [victim, attacker] = [world.newcomer(node), world.newcomer(node)]
    await attacker.createAccount('Attacker', PASSWORD)
    const session = () => victim.send<{ user: unknown; round: object }>('/api/session', { headers: TLS })
    await session()
    const own = await session()
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value)
    expect((await session()).body).toEqual(own.body)
    expect(own.body.user).toBeNull()
  })
})

test('signing in makes a new session, even over one that was planted in the browser', async () => {
  const victim = world.newcomer()
  await victim.createAccount('Fixed', PASSWORD)
  const planted = 'A'.repeat(43)
  victim.cookies.set('taps-session', planted)
  expect((await victim.login('Fixed', PASSWORD)).status).toBe(200)
  expect(victim.cookies.get('taps-session')).not.toBe(planted)
  const thief = world.newcomer()
  thief.cookies.set('taps-session', planted)
  expect((await thief.session()).user).toBeNull()
})

test('half a cookie does not count next to a whole one', async () => {
  const guest = world.newcomer()
  const { round } = await guest.session()
  const whole = guest.cookies.get('taps-player')
  // Browsers send the cookie with the longer path first.
  const headers = { cookie: `taps-player=half; taps-session=half; taps-player=${whole}` }
  expect((await world.newcomer().send('/api/session', { headers })).body).toMatchObject({ round })
})

test('an expired prize is not held any more, even before it has returned', async () => {
  const guest = world.newcomer()
  const { body } = await guest.play((await guest.session()).round, 0)
  const gate = await Gate.close(world.database.connection)
  await world.sql('update holds set held_until = now() where id = $1', [body.attempt.id])
  const { prize } = await guest.session()
  await gate.open()
  expect(prize).toBeNull()
})
