import { describe, expect, test } from 'vitest'
import type { ProblemBody } from '../../contract/api.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** Opens a browser and creates an account. */
async function account(username: string) {
  const client = world.newcomer()
  await client.session()
  const { body } = await client.createAccount(username, PASSWORD)
  return { client, body }
}

/** Creates an account with any password, even a password that today's rules reject. */
async function accountWithPassword(username: string, password: string) {
  const { body } = await account(username)
  const hash = await world.game.app.passwords.hash('here', password)
  await world.sql('update users set password_hash = $1 where id = $2', [hash, body.user.id])
  return body
}

describe('creating an account', () => {
  test('answers 201 with the user, sets a session cookie and removes the guest cookie', async () => {
    const guest = world.newcomer()
    const { round, record } = await guest.session()
    const { status, body, headers } = await guest.createAccount('  Ada  ', PASSWORD)
    expect(status).toBe(201)
    const user = { id: expect.any(Number), username: 'Ada', taps_balance: 0 }
    expect(body).toEqual({ user, prize: null, round })
    expect([...guest.cookies.keys()]).toEqual(['taps-session'])
    const cookie = headers.getSetCookie().find(line => line.startsWith('taps-session='))
    expect(cookie).toMatch(/^taps-session=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(await guest.session()).toEqual({ user, rank: expect.any(Number), prize: null, round, record })
  })

  test('makes one account when several spellings of one name arrive simultaneously', async () => {
    const answers = await Promise.all(
      ['Lookalike', 'LOOKALIKE', 'Look Alike', 'Löökalike', "Look-'alike'"].map((name, n) =>
        world.newcomer().createAccount(name, `password of ${n}`),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    expect(await world.sql("select from users where username_key = 'lookalike'")).toHaveLength(1)
  })

  test.each([
    ['Marie Curie', '\u2068Marie\tCu\u00adrie\u2069\u200b'],
    ['علی‌رضا', 'علیرضا'],
    ['ශ්රීමතී', 'ශ්‍රීමතී'],
  ])('logs %s in under the name as a phone or a chat program pastes it', async (name, pasted) => {
    expect((await world.newcomer().createAccount(name, PASSWORD)).body.user.username).toBe(name)
    expect((await world.newcomer().login(pasted, PASSWORD)).body.user.username).toBe(name)
  })

  test('stores neither the password nor the session token in plain text', async () => {
    const { client } = await account('Secretive')
    const [row] = await world.sql<{ password_hash: string }>(
      "select password_hash from users where username = 'Secretive'",
    )
    expect(row?.password_hash).toMatch(/^\$2b\$\d\d\$.{53}$/)
    const session = client.cookies.get('taps-session') ?? ''
    const kept = await world.sql('select from sessions where token_hash = $1', [Buffer.from(session)])
    expect(kept).toEqual([])
  })

  test.each(['login', 'createAccount'] as const)(
    "signs in to an existing account whose password today's rules would reject (%s)",
    async how => {
      const { user } = await accountWithPassword(`Old Timer ${how}`, 'password')
      expect((await world.newcomer()[how](user.username, 'password')).body.user).toEqual(user)
    },
  )
})

test('starts no round of an account with a guest cookie from before the sign-up', async () => {
  const browser = world.newcomer()
  const { round } = await browser.session()
  const stale = browser.copy()
  await browser.createAccount('Outlived', PASSWORD)
  const { status, body } = await stale.post<ProblemBody>('/api/rounds', { round: round.token })
  expect([status, body.code]).toEqual([409, 'stale_round'])
  expect(body.round).not.toEqual(round)
  expect((await stale.play(0)).body.attempt, 'the browser is a new guest').toMatchObject({ is_guest: true })
})

test("ends the browser's previous session at a login", async () => {
  const { client } = await account('Switching')
  await account('Switched To')
  const previous = client.copy()
  await client.login('Switched To', PASSWORD)
  expect((await previous.session()).user).toBeNull()
})

test.each([
  ['not played', false],
  ['played', true],
])(
  'records and shows no round of a deleted account with a guest cookie from before the sign-up: %s',
  async (_, isPlayed) => {
    const browser = world.newcomer()
    const started = await browser.start()
    const stale = browser.copy()
    await browser.createAccount('Deleted Soon', PASSWORD)
    if (isPlayed) expect((await browser.stop(started, 500)).status).toBe(201)
    expect((await browser.post('/api/users/delete', { password: PASSWORD })).status).toBe(204)
    const { status, body } = await stale.stop(started, 500)
    expect([status, body]).toMatchObject([409, { code: 'stale_round' }])
  },
)

test('moves no prize between accounts when a guest cookie from before a sign-up is used again', async () => {
  await account('Magpie')
  const browser = world.newcomer()
  await browser.session()
  const stale = browser.copy()
  await browser.createAccount('Robbed', PASSWORD)
  const { body: won } = await browser.play(0)
  expect((await stale.copy().login('Magpie', PASSWORD)).body.prize).toBeNull()
  expect((await stale.copy().createAccount('Second Magpie', PASSWORD)).body.prize).toBeNull()
  expect((await browser.session()).prize?.taps).toBe(won.attempt.won_taps)
})
