import { describe, expect, test } from 'vitest'
import type { Recorded, Session } from '../../contract/api.ts'
import { LIMITS } from '../../contract/limits.ts'
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

describe('creating an account', () => {
  test('answers 201 with the user, sets a session cookie and takes the guest cookie away', async () => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const { status, body, headers } = await guest.createAccount('  Ada  ', PASSWORD)
    expect(status).toBe(201)
    const user = { id: expect.any(Number), username: 'Ada', taps_balance: 0 }
    expect(body).toEqual({ user, prize: null, round })
    expect([...guest.cookies.keys()]).toEqual(['taps-session'])
    const cookie = headers.getSetCookie().find(line => line.startsWith('taps-session='))
    expect(cookie).toMatch(/^taps-session=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(await guest.session()).toEqual({ user, rank: expect.any(Number), prize: null, round })
  })

  test('keeps the player, the round in hand and a Start under way', async () => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    await guest.play(round, 500)
    const { round: current } = await guest.session()
    const start = await guest.start(current)
    const { body } = await guest.createAccount('Keeper', PASSWORD)
    expect(body.round).toEqual(current)
    const attempt = await guest.post<Recorded>('/api/attempts', {
      start,
      username: 'Was Guest',
      actual_time: 2,
    })
    expect(attempt.status).toBe(201)
    expect(attempt.body.attempt).toMatchObject({ username: 'Keeper', is_guest: false })
    const mine = await guest.get<{ attempts: unknown[] }>('/api/attempts/mine')
    expect(mine.body.attempts).toHaveLength(2)
  })

  test('of a taken name with another password is refused with the words of the game', async () => {
    await account('Taken')
    for (const name of ['Taken', 'TAKEN', ' taken ', 'ｔaken']) {
      const { body } = await world.newcomer().createAccount(name, 'another password')
      expect(body).toEqual({ status: 409, code: 'username_taken', title: 'This username is already taken' })
    }
  })

  test.each([
    ['other signs', 'Two Words', 'two-words_'],
    ['two spaces for one', 'More Words', 'More  Words'],
    ['no accents', 'Zoë Müller', 'Zoe Muller'],
    ['letters of full width', 'Wide', 'Ｗｉｄｅ'],
  ])('of a taken name with %s is refused, or signs in', async (_, taken, written) => {
    const { body: first } = await account(taken)
    const { body } = await world.newcomer().createAccount(written, 'another password')
    expect(body).toEqual({ status: 409, code: 'username_taken', title: 'This username is already taken' })
    for (const way of ['createAccount', 'login'] as const) {
      expect((await world.newcomer()[way](written, PASSWORD)).body.user).toEqual(first.user)
    }
  })

  test('of one name written in several ways, at once, makes one account', async () => {
    const answers = await Promise.all(
      ['Lookalike', 'LOOKALIKE', 'Look Alike', 'Löökalike', "Look-'alike'"].map((name, n) =>
        world.newcomer().createAccount(name, `password of ${n}`),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
  })

  test('of a taken name with its right password is the sign-in whose answer was lost', async () => {
    const { body } = await account('Lost Answer')
    const again = world.newcomer()
    await again.session()
    const { status, body: signedIn } = await again.createAccount('Lost Answer', PASSWORD)
    expect(status).toBe(200)
    expect(signedIn.user).toEqual(body.user)
    expect((await again.session()).user).toEqual(body.user)
  })

  test('of one name many times at once makes one account', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) => world.newcomer().createAccount('Raced', `password of ${n}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    expect(await world.sql("select from users where username_key = 'raced'")).toHaveLength(1)
  })

  test('twice by an impatient finger signs in to the one account', async () => {
    const guest = world.newcomer()
    await guest.session()
    const twin = guest.copy()
    const answers = await Promise.all([guest, twin].map(tab => tab.createAccount('Impatient', PASSWORD)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201])
    expect(answers[0]?.body.user).toEqual(answers[1]?.body.user)
  })

  test.each([
    ['short', '1234567', 'A password needs at least 8 characters'],
    ['long', 'x'.repeat(257), 'A password has at most 256 characters'],
    ['like the name', 'WEAK OTTER', 'The password must differ from the username'],
    ['common', 'Password123', 'This password is one of the most common ones; please choose another'],
    ['the word of the product', 'TAPS-taps!', 'The password must not be the name of the game'],
  ])('with a password that is %s says what is wrong', async (_, password, title) => {
    const { body } = await world.newcomer().createAccount('Weak Otter', password)
    expect(body).toEqual({ status: 400, code: 'weak_password', title })
  })

  test.each([
    ['', 'Please enter your name first!'],
    ['x'.repeat(33), 'A name has at most 32 characters'],
    ['a\u0000b', 'A name cannot contain invisible or control characters'],
    ['a\u202eb', 'A name cannot contain invisible or control characters'],
    ['Paypаl', 'A name keeps to the everyday letters of one script'],
    [
      '<img src=x onerror=alert(1)>',
      "A name cannot contain <, only letters, digits, spaces, emoji and - _ . '",
    ],
    ["'; drop table users; --", "A name cannot contain ;, only letters, digits, spaces, emoji and - _ . '"],
    ['...', 'A name needs a letter, a digit or an emoji'],
    ['Admin', 'This name cannot be used here; please choose another'],
    ['Captain Fück', 'This name cannot be used here; please choose another'],
    ['Hidden player', 'This name cannot be used here; please choose another'],
    ['DeIeted  Player', 'This name cannot be used here; please choose another'],
  ])('with the name %j says what is wrong', async (username, title) => {
    const { body } = await world.newcomer().createAccount(username, PASSWORD)
    expect(body).toEqual({ status: 400, code: 'bad_username', title })
  })

  test.each([["O'Hara-Smith_jr."], ['مرحبا'], ['👩‍🚀🏆']])(
    'with the name %j is only a name',
    async username => {
      const { body } = await account(username)
      expect(body.user.username).toBe(username)
      expect((await world.newcomer().login(username, PASSWORD)).body.user).toEqual(body.user)
    },
  )

  test('keeps neither the password nor the session as they are', async () => {
    const { client } = await account('Secretive')
    const [row] = await world.sql<{ password_hash: string }>(
      "select password_hash from users where username = 'Secretive'",
    )
    expect(row?.password_hash).toMatch(/^\$2b\$\d\d\$.{53}$/)
    const session = client.cookies.get('taps-session') ?? ''
    const kept = await world.sql('select from sessions where token_hash = $1', [Buffer.from(session)])
    expect(kept).toEqual([])
  })

  test('while signed in makes a second account, and the browser is that one', async () => {
    const { client, body } = await account('First Self')
    const second = await client.createAccount('Second Self', PASSWORD)
    expect(second.status).toBe(201)
    expect(second.body.user.id).not.toBe(body.user.id)
    expect((await client.session()).user).toEqual(second.body.user)
  })
})

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

  test.each([['Nobody At All'], ['a\u0000b'], ['\ud800'], ['\u200b'], ["' or 1=1 --"], ['x'.repeat(200)]])(
    'as %j, who is not there, is refused',
    async username => {
      const { body } = await world.newcomer().login(username, PASSWORD)
      expect(body).toEqual({ status: 404, code: 'unknown_username', title: 'No account with this username' })
    },
  )

  test.each([
    [{}],
    [{ username: 'Somebody' }],
    [{ password: PASSWORD }],
    [{ username: '', password: '' }],
    [{ username: '   ', password: PASSWORD }],
    [{ username: 'Somebody', password: '' }],
  ])('with %j lacks something, and is told so in the words of the game', async body => {
    const answer = await world.newcomer().post('/api/login', body)
    expect(answer.body).toEqual({
      status: 400,
      code: 'missing_credentials',
      title: 'Please enter both username and password',
    })
  })

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

describe('an address that has made many accounts', () => {
  test('makes no more of them, but can still sign in', async () => {
    const node = await world.addNode({ rateLimits: true })
    await account('Known Here')
    for (let n = 0; n < LIMITS.signUps.burst; n += 1) node.services.limits.take('signUps', '127.0.0.1')

    const refused = await world.newcomer(node).createAccount('One Too Many', PASSWORD)
    expect(refused.body).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(await world.sql('select from users where username = $1', ['One Too Many'])).toEqual([])
    expect((await world.newcomer(node).createAccount('Known Here', PASSWORD)).status).toBe(200)
  })
})

function player(session: Pick<Session, 'round'>): string {
  return rounds.readRound(session.round.token).player
}
