import { describe, expect, test } from 'vitest'
import type { Claimed } from '../../contract/api.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** A browser that has just created an account and used its session once. */
async function account(username: string): Promise<CheckedClient> {
  const client = world.newcomer()
  await client.createAccount(username, PASSWORD)
  await client.session()
  return client
}

/** The days until a session ends unless it is used, and those since it was opened. */
async function days(username: string): Promise<{ left: number; age: number }> {
  const [row] = await world.sql<{ left: number; age: number }>(
    `select round(extract(epoch from expires_at - now()) / 86400) as left,
      round(extract(epoch from now() - sessions.created_at) / 86400) as age
    from sessions join users on users.id = user_id where username = $1`,
    [username],
  )
  return row ?? { left: 0, age: 0 }
}

/** Lets days go by for the sessions of an account. */
async function age(username: string, passed: number): Promise<void> {
  await world.sql(
    `update sessions set created_at = sessions.created_at - $2 * interval '1 day',
      expires_at = expires_at - $2 * interval '1 day'
    from users where users.id = user_id and username = $1`,
    [username, passed],
  )
}

describe('a session', () => {
  test('ends after thirty days without use', async () => {
    const client = await account('Idle')
    await age('Idle', 29)
    expect((await client.session()).user?.username).toBe('Idle')
    await age('Idle', 31)
    expect((await client.session()).user).toBeNull()
  })

  test('is good for another thirty days after each use', async () => {
    const client = await account('Regular')
    for (let month = 1; month <= 5; month += 1) {
      await age('Regular', 29)
      expect((await client.session()).user?.username).toBe('Regular')
      expect(await days('Regular')).toEqual({ left: 30, age: 29 * month })
    }
  })

  test('ends after 180 days, however often it was used', async () => {
    const client = await account('Loyal')
    for (let month = 1; month <= 6; month += 1) {
      await age('Loyal', 29)
      expect((await client.session()).user?.username).toBe('Loyal')
    }
    expect(await days('Loyal')).toEqual({ left: 180 - 6 * 29, age: 6 * 29 })
    await age('Loyal', 7)
    expect((await client.session()).user).toBeNull()
  })

  test('costs a write at its first use and once a day, not with every request', async () => {
    const client = await account('Busy')
    const version = async () => {
      const [row] = await world.sql<{ xmin: string }>(
        "select sessions.xmin::text from sessions join users on users.id = user_id where username = 'Busy'",
      )
      return row?.xmin
    }
    const before = await version()
    for (let request = 0; request < 5; request += 1) await client.session()
    await age('Busy', 0.5)
    const aged = await version()
    await client.session()
    expect([before, await version()]).toEqual([before, aged])
    await age('Busy', 0.6)
    const due = await version()
    await client.session()
    expect(await version()).not.toBe(due)
  })
})

test('behind a proxy with TLS the session is for this host, TLS and the server alone', async () => {
  const node = await world.addNode({ trustProxy: ['loopback'] })
  const { headers } = await world.newcomer(node).send('/api/users', {
    method: 'POST',
    json: { username: 'Sealed', password: PASSWORD },
    headers: { 'x-forwarded-proto': 'https' },
  })
  const cookie = headers.getSetCookie().find(line => line.startsWith('__Host-taps-session='))
  expect(cookie).toMatch(/^[\w-]+=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
})

describe('signing in again as the same account', () => {
  test('ends the session in the browser once the new one is used, and no other', async () => {
    const client = await account('Twice')
    const device = world.newcomer()
    await device.login('Twice', PASSWORD)
    const old = client.copy()
    await client.login('Twice', PASSWORD)
    expect(client.cookies.get('taps-session')).not.toBe(old.cookies.get('taps-session'))
    expect((await old.session()).user?.username).toBe('Twice')
    expect((await client.session()).user?.username).toBe('Twice')
    expect((await old.session()).user).toBeNull()
    expect((await device.session()).user?.username).toBe('Twice')
    expect((await client.session()).user?.username).toBe('Twice')
  })

  test('several times leaves one session, whichever answers were lost', async () => {
    const client = await account('Thrice')
    await client.copy().login('Thrice', PASSWORD)
    await client.copy().login('Thrice', PASSWORD)
    await client.login('Thrice', PASSWORD)
    expect((await client.session()).user?.username).toBe('Thrice')
    const left = await world.sql(
      "select from sessions join users on users.id = user_id where username = 'Thrice'",
    )
    expect(left).toHaveLength(1)
  })
})

describe('a held prize', () => {
  test.each([
    ['ran out', (name: string) => age(name, 31)],
    ['became too old', (name: string) => age(name, 181)],
    ['was ended by a logout', (_: string, client: CheckedClient) => client.post('/api/logout')],
    ['gave way to newer ones', (name: string) => fillUp(name)],
  ])('of an account is there for the next session when the one it was won in %s', async (how, end) => {
    const name = `Winner ${how}`
    const client = await account(name)
    const { body: won } = await client.play((await client.session()).round, 0)
    await end(name, client.copy())
    expect((await client.session()).user).toBeNull()
    const { body } = await client.login(name, PASSWORD)
    expect(body.prize).toMatchObject({ taps: won.attempt.won_taps, held_until: null })
    expect((await client.post<Claimed>('/api/claim')).body.taps).toBe(won.attempt.won_taps)
  })

  async function fillUp(name: string): Promise<void> {
    await world.sql(
      `insert into sessions (token_hash, user_id, expires_at, created_at)
      select sha256((id || ' ' || n)::bytea), id, now() + interval '1 day', now() + n * interval '1 ms'
      from users, generate_series(1, 19) as n where username = $1`,
      [name],
    )
    await world.newcomer().login(name, PASSWORD)
  }
})
