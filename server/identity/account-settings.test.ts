import { describe, expect, test } from 'vitest'
import type { AttemptList, Claimed, PrizePool, ProblemBody } from '../../contract/api.ts'
import { Gate } from '../../tests/faults/gate.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openWorld } from '../../tests/support/world.ts'
import { checkLedger } from '../game/ledger.ts'

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

const attempts = async () => (await world.newcomer().get<AttemptList>('/api/attempts')).body.attempts
const pool = async () => (await world.newcomer().get<PrizePool>('/api/prize-pool')).body.taps

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

  test('ends the session where its answer was lost: the new password signs in again', async () => {
    const client = await account('Retrying')
    await change(client.copy(), PASSWORD, NEW_PASSWORD)
    expect((await change(client, PASSWORD, NEW_PASSWORD)).body?.code).toBe('login_required')
    expect((await client.login('Retrying', NEW_PASSWORD)).status).toBe(200)
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
    const gate = await Gate.close(world.database.connection)
    const changes = [change(one, PASSWORD, 'the first one'), change(other, PASSWORD, 'the other one')]
    await gate.holds('change_password', 2)
    await gate.open()
    const answers = await Promise.all(changes)
    const [winner = one] = [one, other].filter((_, place) => answers[place]?.status === 204)
    expect(answers.map(({ status, body }) => body?.code ?? status).sort()).toEqual([204, 'password_changed'])
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
})

describe('deleting an account', () => {
  test('returns its balance and what is held for it to the pool, and both laws of the ledger hold', async () => {
    const client = await account('Generous')
    const { body: first } = await client.play((await client.session()).round, 0)
    await client.post('/api/claim')
    await client.play(first.round, 500)
    const { body: second } = await client.play((await client.session()).round, -50)
    const { user, prize } = await client.session()
    const before = await pool()
    expect((await remove(client)).status).toBe(204)
    expect(await pool()).toBe(before + (user?.taps_balance ?? 0) + (prize?.taps ?? 0))
    expect((await checkLedger(world.pool)).ok).toBe(true)
    const prizes = await world.sql(
      'select from prize_ends where attempt_id = any($1) and ended_at is not null and claimed_by is null',
      [[first.attempt.id, second.attempt.id]],
    )
    expect(prizes).toHaveLength(2)
  })

  test('leaves its attempts with their numbers and without its name, and not as a guest’s', async () => {
    const client = await account('Nameless')
    const { body } = await client.play((await client.session()).round, 0)
    await client.post('/api/claim')
    await remove(client)
    const [newest] = await attempts()
    const { id, target_time, actual_time, difference } = body.attempt
    expect(newest).toMatchObject({ id, target_time, actual_time, difference, username: 'Deleted player' })
    expect(newest).toMatchObject({ is_guest: false, claimed: false, won_taps: body.attempt.won_taps })
    expect(await world.sql("select from attempts where username = 'Nameless'")).toEqual([])
  })

  test('takes its name off the boards of whoever watches', async () => {
    const client = await account('Watched')
    await client.play((await client.session()).round, 0)
    await client.post('/api/claim')
    const viewer = await Viewer.open(world.game.url)
    const shown = (name: string) => JSON.stringify(viewer.events.slice(-3)).includes(name)
    await expect.poll(() => shown('Watched')).toBe(true)
    await remove(client)
    await expect
      .poll(() => viewer.latest('leaderboard')?.leaderboard.some(row => row.username === 'Watched'))
      .toBe(false)
    await expect.poll(() => JSON.stringify(viewer.latest('attempts')).includes('Watched')).toBe(false)
    await viewer.close()
  })

  test('ends all its sessions; the browser is a new guest', async () => {
    const client = await account('Leaving')
    const device = world.newcomer()
    await device.login('Leaving', PASSWORD)
    await remove(client)
    expect([...client.cookies.keys()]).toEqual([])
    expect((await client.session()).user).toBeNull()
    expect((await device.session()).user).toBeNull()
  })

  test('lets its name be taken again, by somebody who starts with nothing', async () => {
    const client = await account('Reborn')
    await client.play((await client.session()).round, 0)
    await client.post('/api/claim')
    await remove(client)
    const successor = world.newcomer()
    const { status, body } = await successor.createAccount('Reborn', NEW_PASSWORD)
    expect(status).toBe(201)
    expect(body).toMatchObject({ user: { taps_balance: 0 }, prize: null })
    expect((await successor.get<AttemptList>('/api/attempts/mine')).body.attempts).toEqual([])
  })

  test('of one account twice at once deletes it once', async () => {
    const client = await account('Hasty')
    await client.play((await client.session()).round, 0)
    await client.post('/api/claim')
    const gate = await Gate.close(world.database.connection)
    const removals = [remove(client.copy()), remove(client.copy())]
    await gate.holds('delete_account', 2)
    await gate.open()
    const answers = await Promise.all(removals)
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401])
    expect((await checkLedger(world.pool)).ok).toBe(true)
  })

  test('of one who has played for long loses every name, in steps that leave room for others', async () => {
    const client = await account('Veteran')
    const { user } = await client.session()
    await world.sql(
      `insert into attempts (player, round, user_id, username, target_time, actual_time, difference)
      select player, round, id, username, 2, 2.5, 0.5 from users, generate_series(1, 2500) as round
      where id = $1`,
      [user?.id],
    )
    await world.sql('update prize_pool set taps = taps + 2500')
    expect((await remove(client)).status).toBe(204)
    expect(await world.sql("select from attempts where username = 'Veteran'")).toEqual([])
    expect(await world.sql('select from attempts where user_id = $1', [user?.id])).toHaveLength(2_500)
  })

  test('leaves an attempt that comes too late unrecorded, and a claim unanswered', async () => {
    const client = await account('Too Late')
    const { round } = await client.session()
    const start = await client.start(round)
    const late = client.copy()
    await remove(client)
    const attempt = { start, username: 'Too Late', actual_time: round.target_time }
    expect((await late.post<ProblemBody>('/api/attempts', attempt)).body.code).toBe('stale_round')
    expect((await late.post<ProblemBody & Claimed>('/api/claim')).body.code).toBe('login_required')
    expect(await world.sql("select from attempts where username = 'Too Late'")).toEqual([])
  })

  test('takes the name off what is recorded while it waits for its turn', async () => {
    const client = await account('Overtaken')
    const { user } = await client.session()
    const gate = await Gate.close(world.database.connection)
    const deleted = remove(client)
    await gate.holds('delete_account')
    await world.sql(
      `insert into attempts (player, round, user_id, username, target_time, actual_time, difference)
      select player, 1, id, username, 2, 2.5, 0.5 from users where id = $1`,
      [user?.id],
    )
    await gate.open()
    expect((await deleted).status).toBe(204)
    await world.sql('update prize_pool set taps = taps + 1')
    expect(await world.sql("select from attempts where username = 'Overtaken'")).toEqual([])
  })

  test('before a login gets through leaves that without a session', async () => {
    const client = await account('Fleeting')
    const device = world.newcomer()
    const gate = await Gate.close(world.database.connection)
    const deleted = remove(client)
    await gate.holds('delete_account')
    const login = device.login('Fleeting', PASSWORD)
    await gate.holds('open_session')
    await gate.open()
    expect((await deleted).status).toBe(204)
    expect((await login).body.code).toBe('invalid_password')
    expect((await device.session()).user).toBeNull()
  })
})
