import { describe, expect, test } from 'vitest'
import type { Recorded } from '../../contract/api.ts'
import { LIMITS } from '../../contract/limits.ts'
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
    ['like the name', 'WEAK OTTER', 'The password must differ from the username'],
    ['common', 'Password123', 'This password is one of the most common ones; please choose another'],
  ])('with a password that is %s says what is wrong', async (_, password, title) => {
    const { body } = await world.newcomer().createAccount('Weak Otter', password)
    expect(body).toEqual({ status: 400, code: 'weak_password', title })
  })

  test.each([
    ['', 'Please enter your name first!'],
    ['a\u0000b', 'A name cannot contain invisible or control characters'],
    [
      '<img src=x onerror=alert(1)>',
      "A name cannot contain <, only letters, digits, spaces, emoji and - _ . '",
    ],
    ["'; drop table users; --", "A name cannot contain ;, only letters, digits, spaces, emoji and - _ . '"],
    ['Admin', 'This name cannot be used here; please choose another'],
    ['Hidden player', 'This name cannot be used here; please choose another'],
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
