import { describe, expect, test } from 'vitest'
import type { ProblemBody } from '../../contract/api.ts'
import { Gate } from '../../tests/faults/gate.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { openWorld } from '../../tests/support/world.ts'
import { renameAttempts } from './account.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'
const NEW_PASSWORD = 'staple that battery'

/** Creates an account and uses its session once. */
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

/** Inserts attempts of an account that has none. The caller must add the attempts' TAPS to the pool. */
async function addMisses(username: string, count: number): Promise<void> {
  await world.sql(
    `insert into attempts (player, round, user_id, username, target_time, actual_time, difference)
    select player, round, id, username, 2, 2.5, 0.5 from users, generate_series(1, $2::integer) as round
    where username = $1`,
    [username, count],
  )
}

describe('changing the password', () => {
  test('on two devices simultaneously keeps one of the two passwords and its session', async () => {
    const one = await account('Contested')
    const other = world.newcomer()
    await other.login('Contested', PASSWORD)
    await other.session()
    const gate = await Gate.close(world.database.connection)
    const changes = [change(one, PASSWORD, 'the first one'), change(other, PASSWORD, 'the other one')]
    await gate.holds('change_password', 2)
    await gate.open()
    const answers = await Promise.all(changes)
    const [winner = one] = [one, other].filter((_, place) => answers[place]?.status === 204)
    expect(answers.map(({ status, body }) => body?.code ?? status).sort()).toEqual([204, 'password_changed'])
    expect((await winner.session()).user?.username).toBe('Contested')
    const passwords = ['the first one', 'the other one', PASSWORD]
    const logins = await Promise.all(passwords.map(tried => world.newcomer().login('Contested', tried)))
    expect(logins.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('deleting an account', () => {
  test('removes the name from thousands of attempts', async () => {
    const client = await account('Veteran')
    await addMisses('Veteran', 2_500)
    await world.sql('update prize_pool set taps = taps + 2500')
    const { user } = await client.session()
    expect((await remove(client)).status).toBe(204)
    expect(await world.sql("select from attempts where username = 'Veteran'")).toEqual([])
    expect(await world.sql('select from attempts where user_id = $1', [user?.id])).toHaveLength(2_500)
  })

  test('is refused when the password has just changed; a retry does not rewrite renamed attempts', async () => {
    const client = await account('Undecided')
    const { user } = await client.session()
    await addMisses('Undecided', 3)
    await world.sql('update prize_pool set taps = taps + 3')
    const places = () =>
      world.sql('select ctid::text from attempts where user_id = $1 order by id', [user?.id])
    const gate = await Gate.close(world.database.connection)
    const changed = change(client.copy(), PASSWORD, NEW_PASSWORD)
    await gate.holds('change_password')
    const refused = remove(client)
    await gate.holds('delete_player')
    await gate.open()
    expect((await changed).status).toBe(204)
    expect((await refused).body?.code).toBe('invalid_password')
    const written = await places()
    await client.login('Undecided', NEW_PASSWORD)
    expect((await remove(client, NEW_PASSWORD)).status).toBe(204)
    expect(await places()).toEqual(written)
    const [played] = await world.sql<{ player: string }>('select player from attempts where user_id = $1', [
      user?.id,
    ])
    await renameAttempts(world.pool, played?.player ?? '', 'Renamed by an operator')
    expect(await places(), 'after renameAttempts').toEqual(written)
  })

  test('removes the name from attempts recorded while the deletion waits for a lock', async () => {
    const client = await account('Overtaken')
    const gate = await Gate.close(world.database.connection)
    const deleted = remove(client)
    await gate.holds('delete_player')
    await addMisses('Overtaken', 1)
    await gate.open()
    expect((await deleted).status).toBe(204)
    await world.sql('update prize_pool set taps = taps + 1')
    expect(await world.sql("select from attempts where username = 'Overtaken'")).toEqual([])
  })
})

test.each([
  ['a password change', 'change_password', (client: CheckedClient) => change(client, PASSWORD, NEW_PASSWORD)],
  ['a deletion', 'delete_player', (client: CheckedClient) => remove(client)],
])('rejects a login with the old password when %s commits first', async (_, act, end) => {
  const client = await account('Raced')
  const thief = world.newcomer()
  const gate = await Gate.close(world.database.connection)
  const ended = end(client)
  await gate.holds(act)
  const login = thief.login('Raced', PASSWORD)
  await gate.holds('open_session')
  await gate.open()
  expect((await ended).status).toBe(204)
  expect((await login).body.code).toBe('invalid_password')
  expect((await thief.session()).user).toBeNull()
  await world.sql("delete from users where username = 'Raced'")
})
