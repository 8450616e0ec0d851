import { describe, expect, test } from 'vitest'
import type { AttemptList, Claimed, Leaderboard, PrizePool, ProblemBody } from '../../contract/api.ts'
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

function remove(client: CheckedClient, password = PASSWORD) {
  return client.post<ProblemBody | null>('/api/users/delete', { password })
}

const attempts = async () => (await world.newcomer().get<AttemptList>('/api/attempts')).body.attempts
const pool = async () => (await world.newcomer().get<PrizePool>('/api/prize-pool')).body.taps
const board = async () =>
  (await world.newcomer().get<Leaderboard>('/api/leaderboard')).body.leaderboard.map(row => row.username)

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
    expect((await checkLedger(world.pool)).sound).toBe(true)
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
    expect(await board()).not.toContain('Watched')
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

  test('with a wrong password is refused, and changes nothing', async () => {
    const client = await account('Staying')
    const { body } = await remove(client, 'a wrong password')
    expect(body).toEqual({ status: 401, code: 'invalid_password', title: 'Invalid password' })
    expect((await client.session()).user?.username).toBe('Staying')
  })

  test('needs a login, and so does sending it again: there is no account any more', async () => {
    expect((await remove(world.newcomer())).body).toMatchObject({ code: 'login_required' })
    const client = await account('Gone Twice')
    expect((await remove(client.copy())).status).toBe(204)
    expect((await remove(client)).body).toMatchObject({ code: 'login_required' })
    expect((await client.session()).user).toBeNull()
  })

  test('of one account twice at once deletes it once', async () => {
    const client = await account('Hasty')
    await client.play((await client.session()).round, 0)
    await client.post('/api/claim')
    const answers = await Promise.all([remove(client.copy()), remove(client.copy())])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401])
    expect((await checkLedger(world.pool)).sound).toBe(true)
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
