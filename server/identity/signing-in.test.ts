import { describe, expect, test } from 'vitest'
import type { Recorded, Session } from '../../contract/api.ts'
import { rounds } from '../../tests/support/forgery.ts'
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

/** Makes an account as it was before a rule: with a password that no rule of today would take. */
async function accountOfOldWith(username: string, password: string) {
  const { body } = await account(username)
  const passwords = world.game.services.passwordHasher.for({ address: 'here', account: username })
  const hash = await passwords.hash(password)
  await world.sql('update users set password_hash = $1 where id = $2', [hash, body.user.id])
  return body
}

describe('signing in', () => {
  test("answers 200 with the account's own player, on every device the same", async () => {
    const { client, body } = await account('Traveller')
    const { body: played } = await client.play(body.round, 500)
    const device = world.newcomer()
    await device.session()
    const { status, body: signedIn } = await device.login('traveller', PASSWORD)
    expect(status).toBe(200)
    expect(signedIn).toEqual({ user: body.user, prize: null, round: played.round })
    expect((await client.session()).user).toEqual(body.user)
  })

  test('with a wrong password is refused, and the guest stays who they are', async () => {
    await account('Guarded')
    const guest = world.newcomer()
    const before = await guest.session()
    const { body } = await guest.login('Guarded', 'a wrong password')
    expect(body).toEqual({ status: 401, code: 'invalid_password', title: 'Invalid password' })
    expect(await guest.session()).toEqual(before)
  })

  test.each([['Nobody At All'], ['\ud800'], ["' or 1=1 --"]])(
    'as %j, who is not there, is refused',
    async username => {
      const { body } = await world.newcomer().login(username, PASSWORD)
      expect(body).toEqual({ status: 404, code: 'unknown_username', title: 'No account with this username' })
    },
  )

  test.each([[{}], [{ username: '   ', password: PASSWORD }], [{ username: 'Somebody', password: '' }]])(
    'with %j lacks something, and is told so in the words of the game',
    async body => {
      const answer = await world.newcomer().post('/api/login', body)
      expect(answer.body).toEqual({
        status: 400,
        code: 'missing_credentials',
        title: 'Please enter both username and password',
      })
    },
  )

  test.each(['login', 'createAccount'] as const)(
    'asks nothing of a password that was there before its rules were (%s)',
    async how => {
      const { user } = await accountOfOldWith(`Old Timer ${how}`, 'password')
      expect((await world.newcomer()[how](user.username, 'password')).body.user).toEqual(user)
    },
  )

  test('ends the session of another account that was in the browser before', async () => {
    const { client } = await account('Before')
    await account('After')
    const old = client.copy()
    await client.login('After', PASSWORD)
    expect((await client.session()).user?.username).toBe('After')
    expect((await old.session()).user).toBeNull()
  })

  test('on more than 20 devices ends the oldest session', async () => {
    const { client } = await account('Many Devices')
    const [row] = await world.sql<{ password_hash: string; id: number }>(
      "select id, password_hash from users where username = 'Many Devices'",
    )
    await world.sql(
      `insert into sessions (token_hash, user_id, expires_at, created_at)
       select sha256(n::text::bytea), $1, now() + interval '1 day', now() + n * interval '1 ms'
       from generate_series(1, 19) as n`,
      [row?.id],
    )
    expect((await client.session()).user).not.toBeNull()
    await world.newcomer().login('Many Devices', PASSWORD)
    expect((await client.session()).user).toBeNull()
  })

  test('forgets a hundred of the sessions that are over, the oldest first, whoever had them', async () => {
    await account('Forgetful')
    await account('Forgotten')
    await world.sql(
      `insert into sessions (token_hash, user_id, expires_at)
       select sha256(('over ' || n)::bytea), (select id from users where username = 'Forgotten'), now() - n * interval '1 day'
       from generate_series(1, 250) as n`,
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

describe('what a logged-in person plays', () => {
  test("is recorded under the account's name, whatever name is sent", async () => {
    const { client, body } = await account('Real Name')
    const { body: played } = await client.play(body.round, 500, 'Somebody Else')
    expect(played.attempt).toMatchObject({ username: 'Real Name', is_guest: false })
  })

  test('is not recorded with a cookie of the guest they were', async () => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const start = await guest.start(round)
    const stale = guest.copy()
    await guest.createAccount('Grown Up', PASSWORD)
    const attempt = { start, username: 'Old Tab', actual_time: 2 }
    const { body } = await stale.post<Recorded>('/api/attempts', attempt)
    expect(body).toMatchObject({ status: 409, code: 'stale_round' })
    expect((await guest.session()).round).toEqual(round)
  })
})

describe('logging out', () => {
  test('answers 204, ends the session on the server and makes the next visit a new guest', async () => {
    const { client, body } = await account('Leaver')
    const old = client.copy()
    const { status } = await client.post('/api/logout')
    expect(status).toBe(204)
    expect([...client.cookies.keys()]).toEqual([])
    expect((await old.session()).user).toBeNull()
    const next = await client.session()
    expect(next.user).toBeNull()
    expect(player(next)).not.toBe(player(body))
  })

  test('makes a round from before stale', async () => {
    const { client, body } = await account('Half Way')
    const start = await client.start(body.round)
    await client.post('/api/logout')
    const { round } = await client.session()
    const attempt = { start, username: 'Half Way', actual_time: 2 }
    expect((await client.post('/api/attempts', attempt)).body).toMatchObject({ code: 'stale_round', round })
    const old = await client.post('/api/rounds', { round: body.round.token })
    expect(old.body).toMatchObject({ code: 'stale_round', round })
  })

  test('when the session was over leaves the guest that the browser has become, and what is held for them', async () => {
    const { client } = await account('Timed Out')
    await world.sql("delete from sessions using users where users.id = user_id and username = 'Timed Out'")
    const { body } = await client.play((await client.session()).round, 0)
    expect((await client.post('/api/logout')).status).toBe(204)
    expect([...client.cookies.keys()]).toEqual(['taps-player'])
    expect((await client.session()).prize?.taps).toBe(body.prize?.taps)
  })

  test('of a guest changes nothing: a held prize hangs on the cookie', async () => {
    const guest = world.newcomer()
    const { body } = await guest.play((await guest.session()).round, 0)
    expect((await guest.post('/api/logout')).status).toBe(204)
    expect((await guest.session()).prize?.taps).toBe(body.prize?.taps)
  })
})

describe('a guest cookie from before', () => {
  test('a sign-up moves nothing of the account to the next one that signs in with it', async () => {
    await account('Magpie')
    const browser = world.newcomer()
    await browser.session()
    const stale = browser.copy()
    await browser.createAccount('Robbed', PASSWORD)
    const { body: won } = await browser.play((await browser.session()).round, 0)
    expect((await stale.copy().login('Magpie', PASSWORD)).body.prize).toBeNull()
    expect((await stale.copy().createAccount('Second Magpie', PASSWORD)).body.prize).toBeNull()
    expect((await browser.session()).prize?.taps).toBe(won.attempt.won_taps)
  })
})

function player(session: Pick<Session, 'round'>): string {
  return rounds.readRound(session.round.token).player
}
