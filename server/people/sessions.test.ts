import { describe, expect, test } from 'vitest'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** Creates an account and uses its session once. */
async function account(username: string): Promise<CheckedClient> {
  const client = world.newcomer()
  await client.createAccount(username, PASSWORD)
  await client.session()
  return client
}

/** Reads the days until the account's session expires, and the session's age in days. */
async function days(username: string): Promise<{ left: number; age: number }> {
  const [row] = await world.sql<{ left: number; age: number }>(
    `select round(extract(epoch from expires_at - now()) / 86400) as left,
      round(extract(epoch from now() - sessions.created_at) / 86400) as age
    from sessions join users on users.id = user_id where username = $1`,
    [username],
  )
  return row ?? { left: 0, age: 0 }
}

/** Makes an account's sessions older by a number of days. */
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

  test('ends with a logout, also for a copy of its cookie', async () => {
    const client = await account('Leaving')
    const copy = client.copy()
    await client.post('/api/logout')
    expect((await copy.session()).user).toBeNull()
  })

  test('lasts another thirty days after each use, up to 180 days in total', async () => {
    const client = await account('Loyal')
    for (let month = 1; month <= 6; month += 1) {
      await age('Loyal', 29)
      expect((await client.session()).user?.username).toBe('Loyal')
      expect(await days('Loyal')).toEqual({ left: Math.min(30, 180 - 29 * month), age: 29 * month })
    }
    await age('Loyal', 7)
    expect((await client.session()).user).toBeNull()
  })

  test('is written at its first use and then at most once a day', async () => {
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

describe('signing in', () => {
  test('on more than 20 devices ends the oldest session', async () => {
    const client = await account('Many Devices')
    await world.sql(
      `insert into sessions (token_hash, user_id, expires_at, created_at)
      select sha256(n::text::bytea), id, now() + interval '1 day', now() + n * interval '1 ms'
      from users, generate_series(1, 19) as n where username = 'Many Devices'`,
    )
    expect((await client.session()).user).not.toBeNull()
    await world.newcomer().login('Many Devices', PASSWORD)
    expect((await client.session()).user).toBeNull()
  })

  test('deletes the hundred oldest expired sessions across all users', async () => {
    await account('Forgetful')
    await account('Forgotten')
    await world.sql('delete from sessions where expires_at <= now()')
    await world.sql(
      `insert into sessions (token_hash, user_id, expires_at)
      select sha256(('expired ' || n)::bytea), id, now() - n * interval '1 day'
      from users, generate_series(1, 250) as n where username = 'Forgotten'`,
    )
    await world.newcomer().login('Forgetful', PASSWORD)
    const left = await world.sql<{ days: number }>(
      `select extract(day from now() - expires_at)::integer as days from sessions
      where expires_at <= now() order by expires_at`,
    )
    expect(left).toHaveLength(150)
    expect(left[0]?.days).toBe(150)
  })
})
