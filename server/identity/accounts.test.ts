import { describe, expect, test } from 'vitest'
import type { Recorded, Session } from '../../contract/api.ts'
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

  test('of one name written in several ways, at once, makes one account', async () => {
    const answers = await Promise.all(
      ['Lookalike', 'LOOKALIKE', 'Look Alike', 'Löökalike', "Look-'alike'"].map((name, n) =>
        world.newcomer().createAccount(name, `password of ${n}`),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    expect(await world.sql("select from users where username_key = 'lookalike'")).toHaveLength(1)
  })

  test.each([
    ['as it is', 'Lost Answer', 'Lost Answer'],
    ['in capitals, between spaces', 'Loud', ' LOUD '],
    ['with other signs', 'Two Words', 'two-words_'],
    ['with two spaces for one', 'More Words', 'More  Words'],
    ['without its accents', 'Zoë Müller', 'Zoe Muller'],
    ['in letters of full width', 'Wide', 'Ｗｉｄｅ'],
  ])('of a taken name, written %s, with its right password is a sign-in', async (_, taken, written) => {
    const { body } = await account(taken)
    for (const way of ['createAccount', 'login'] as const) {
      const again = world.newcomer()
      await again.session()
      const { status, body: signedIn } = await again[way](written, PASSWORD)
      expect(status).toBe(200)
      expect(signedIn.user).toEqual(body.user)
      expect((await again.session()).user).toEqual(body.user)
    }
  })

  test('twice by an impatient finger signs in to the one account', async () => {
    const guest = world.newcomer()
    await guest.session()
    const twin = guest.copy()
    const answers = await Promise.all([guest, twin].map(tab => tab.createAccount('Impatient', PASSWORD)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201])
    expect(answers[0]?.body.user).toEqual(answers[1]?.body.user)
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
})

test('a guest cookie from before a sign-up brings nothing of that account to the next one', async () => {
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
