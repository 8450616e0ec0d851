import { describe, expect, test } from 'vitest'
import { Gate } from '../../tests/faults/gate.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'
const TLS = { 'x-forwarded-proto': 'https' }

test('answers the first visit with a round and the httpOnly cookie of a new guest', async () => {
  const guest = world.newcomer()
  const { status, body, headers } = await guest.get('/api/session')
  expect(status).toBe(200)
  expect(body).toEqual({
    user: null,
    rank: null,
    prize: null,
    round: { token: expect.any(String), target_time: expect.any(Number) },
    record: { rounds: 0, best: null, streak: 0 },
  })
  const [cookie, ...more] = headers.getSetCookie()
  expect(more).toEqual([])
  expect(cookie).toMatch(
    /^taps-player=[\da-f-]{36}\.[\w-]{22}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/,
  )
})

test('creates a new guest when the cookie is forged', async () => {
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

describe('behind a TLS proxy', () => {
  test('sets both cookies with Secure and the __Host- prefix', async () => {
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

  test('ignores a cookie without the __Host- prefix, because another host could have set it', async () => {
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

test('uses the valid cookie when an invalid one with the same name comes first', async () => {
  const guest = world.newcomer()
  const { round } = await guest.session()
  const valid = guest.cookies.get('taps-player')
  // Browsers send the cookie with the longest path first.
  const headers = { cookie: `taps-player=broken; taps-session=broken; taps-player=${valid}` }
  expect((await world.newcomer().send('/api/session', { headers })).body).toMatchObject({ round })
})

test('reports no prize once the hold has expired, even before its TAPS are back in the pool', async () => {
  const guest = world.newcomer()
  const { body } = await guest.play(0)
  const gate = await Gate.close(world.database.connection)
  await world.sql('update holds set held_until = now() where id = $1', [body.attempt.id])
  const { prize } = await guest.session()
  await gate.open()
  expect(prize).toBeNull()
})
