import { describe, expect, test } from 'vitest'
import type { ProblemBody } from '../../contract/api.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Gate } from '../../tests/faults/gate.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'
const NEW_PASSWORD = 'staple that battery'

/** A browser that has just created an account and used its session once. */
async function account(username: string): Promise<CheckedClient> {
  const client = world.newcomer()
  const { status } = await client.createAccount(username, PASSWORD)
  expect(status).toBe(201)
  await client.session()
  return client
}

function change(client: CheckedClient, password: string, new_password: string) {
  return client.post<ProblemBody | null>('/api/password', { password, new_password })
}

function remove(client: CheckedClient, password = PASSWORD) {
  return client.post<ProblemBody | null>('/api/users/delete', { password })
}

describe('changing the password', () => {
  test('answers 204; from then on the new one signs in and the old one does not', async () => {
    const client = await account('Changer')
    expect((await change(client, PASSWORD, NEW_PASSWORD)).status).toBe(204)
    expect((await client.session()).user?.username).toBe('Changer')
    expect((await world.newcomer().login('Changer', PASSWORD)).body.code).toBe('invalid_password')
    expect((await world.newcomer().login('Changer', NEW_PASSWORD)).status).toBe(200)
  })

  test('ends every other session of the account, and this one goes on under a new token', async () => {
    const client = await account('Rotated')
    const device = world.newcomer()
    await device.login('Rotated', PASSWORD)
    await device.session()
    const old = client.copy()
    await change(client, PASSWORD, NEW_PASSWORD)
    expect((await device.session()).user).toBeNull()
    expect(client.cookies.get('taps-session')).not.toBe(old.cookies.get('taps-session'))
    expect((await client.session()).user?.username).toBe('Rotated')
    expect((await old.session()).user).toBeNull()
  })

  test('leaves nothing of a sign-in whose answer was lost', async () => {
    const client = await account('Found Out')
    const thief = world.newcomer()
    await thief.session()
    await thief.copy().login('Found Out', PASSWORD)
    await change(client, PASSWORD, NEW_PASSWORD)
    expect((await thief.session()).user).toBeNull()
  })

  test('can be sent again when its answer was lost', async () => {
    const client = await account('Retrying')
    await change(client.copy(), PASSWORD, NEW_PASSWORD)
    expect((await client.session()).user?.username).toBe('Retrying')
    expect((await change(client, PASSWORD, NEW_PASSWORD)).status).toBe(204)
    expect((await client.session()).user?.username).toBe('Retrying')
    const sessions = await world.sql(
      "select from sessions join users on users.id = user_id where username = 'Retrying'",
    )
    expect(sessions).toHaveLength(1)
  })

  test('with a wrong old password is refused, and changes nothing', async () => {
    const client = await account('Mistaken')
    const other = world.newcomer()
    await other.login('Mistaken', PASSWORD)
    const { body } = await change(client, 'a wrong password', NEW_PASSWORD)
    expect(body).toEqual({ status: 401, code: 'invalid_password', title: 'Invalid password' })
    expect((await other.session()).user?.username).toBe('Mistaken')
    expect((await world.newcomer().login('Mistaken', PASSWORD)).status).toBe(200)
  })

  test.each([
    ['too short', '1234567', 'A password needs at least 8 characters'],
    ['common', 'sunshine', 'This password is one of the most common ones; please choose another'],
    ['the own name', 'weak changer', 'The password must differ from the username'],
  ])('to one that is %s is refused with what is wrong', async (what, password, title) => {
    const name = what === 'the own name' ? 'Weak Changer' : `Weak ${what}`
    const { body } = await change(await account(name), PASSWORD, password)
    expect(body).toEqual({ status: 400, code: 'weak_password', title })
  })

  test('needs a login', async () => {
    const guest = world.newcomer()
    expect((await change(guest, PASSWORD, NEW_PASSWORD)).body).toMatchObject({ code: 'login_required' })
    await guest.session()
    expect((await change(guest, PASSWORD, NEW_PASSWORD)).body).toMatchObject({ code: 'login_required' })
  })

  test('keeps what is held for the account, and the round in hand', async () => {
    const client = await account('Careful')
    const { body: won } = await client.play((await client.session()).round, 0)
    await change(client, PASSWORD, NEW_PASSWORD)
    const session = await client.session()
    expect(session.prize?.taps).toBe(won.attempt.won_taps)
    expect(session.round).toEqual(won.round)
  })

  test('on two devices at once ends with one of the two passwords, and its session', async () => {
    const one = await account('Contested')
    const other = world.newcomer()
    await other.login('Contested', PASSWORD)
    await other.session()
    const answers = await Promise.all([
      change(one, PASSWORD, 'the first one'),
      change(other, PASSWORD, 'the other one'),
    ])
    const [winner = one] = [one, other].filter((_, place) => answers[place]?.status === 204)
    expect(answers.map(({ status }) => status)).toContain(204)
    expect((await winner.session()).user?.username).toBe('Contested')
    const words = ['the first one', 'the other one', PASSWORD]
    const logins = await Promise.all(words.map(word => world.newcomer().login('Contested', word)))
    expect(logins.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('before a login with the old password gets through leaves that without a session', async () => {
    const client = await account('Raced')
    const thief = world.newcomer()
    const gate = await Gate.close(world.database.connection)
    const changed = change(client, PASSWORD, NEW_PASSWORD)
    await gate.holds('change_password')
    const login = thief.login('Raced', PASSWORD)
    await gate.holds('open_session')
    await gate.open()
    expect((await changed).status).toBe(204)
    expect((await login).body.code).toBe('invalid_password')
    expect((await thief.session()).user).toBeNull()
    expect((await client.session()).user?.username).toBe('Raced')
  })

  test('is limited as wrong passwords are', async () => {
    const node = await world.addNode({ rateLimits: true })
    const client = (await account('Guessed At')).copy(node.url)
    for (let n = 1; n < LIMITS.wrongPasswords.burst; n += 1) {
      node.services.limits.take('wrongPasswords', '127.0.0.1 guessedat')
    }
    expect((await change(client, 'a wrong password', NEW_PASSWORD)).status).toBe(401)
    const { status, headers } = await change(client, PASSWORD, NEW_PASSWORD)
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await remove(client)).status).toBe(429)
  })
})
