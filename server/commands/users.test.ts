import { describe, expect, test } from 'vitest'
import type { Leaderboard, ProblemBody } from '../../contract/api.ts'
import { Gate } from '../../tests/faults/gate.ts'
import { openOperator } from '../../tests/support/operator.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openWorld } from '../../tests/support/world.ts'
import { systemUser } from '../lib/process.ts'
import { UsageError } from './command.ts'
import { checkLedger } from './ledger.ts'

const world = openWorld()
const { users } = openOperator(world)
const PASSWORD = 'correct horse battery'

/** Creates an account that has claimed a prize and is on the leaderboard. */
async function claimant(username: string) {
  const client = world.newcomer()
  await client.createAccount(username, PASSWORD)
  await client.play(0)
  await client.post('/api/claim')
  return client
}

async function guest(username: string) {
  const client = world.newcomer()
  await client.play(500, username)
  return client
}

const pool = async () =>
  (await world.sql<{ taps: number }>('select taps from prize_pool'))[0]?.taps ?? Number.NaN

const board = async () =>
  (await world.newcomer().get<Leaderboard>('/api/leaderboard')).body.leaderboard.map(row => row.username)

test('reset-password ends all sessions and prints a random password, which expires in three days unless the user changes it', async () => {
  const slow = await claimant('-h')
  const prompt = world.newcomer()
  await claimant('Prompt')
  const reset = async (name: string) =>
    / is now ([\da-f-]{36})$/.exec((await users('reset-password', name))[0] ?? '')?.[1] ?? ''
  const password = await reset('-h')
  expect((await slow.session()).user).toBeNull()
  expect((await slow.login('-h', PASSWORD)).body.code).toBe('invalid_password')
  expect((await slow.login('-h', password)).status).toBe(200)
  const other = await reset('Prompt')
  expect(other).not.toBe(password)
  await prompt.login('Prompt', other)
  expect((await prompt.post('/api/password', { password: other, new_password: PASSWORD })).status).toBe(204)

  const pass = (time: string) =>
    world.sql('update users set password_expires_at = password_expires_at - $1::interval', [time])
  await pass('71 hours')
  expect((await slow.login('-h', password)).status, 'an hour before its end').toBe(200)
  await pass('1 hour')
  const expired = { title: expect.stringMatching(/expired/) }
  expect((await slow.login('-h', password)).body).toMatchObject({ code: 'invalid_password', ...expired })
  expect((await slow.createAccount('-h', password)).body).toMatchObject({
    code: 'username_taken',
    ...expired,
  })
  expect((await slow.login('-h', 'a wrong password')).body.title).toBe('Invalid password')
  expect((await prompt.login('Prompt', PASSWORD)).status).toBe(200)
})

describe('rename', () => {
  test('renames an account in open streams, at login, and in its attempts, also those made as a guest', async () => {
    const client = await guest('Vile Name')
    await client.createAccount('Vile Name', PASSWORD)
    const viewer = await Viewer.open(world.game.url)
    const shown = () => JSON.stringify([viewer.latest('attempts'), viewer.latest('leaderboard')])
    await expect.poll(shown).toMatch(/Vile Name.*Vile Name/)
    await users('rename', 'vile name', 'VILE NAME')
    await users('rename', 'vile name', '  Mild Name ')
    await expect.poll(shown).toMatch(/Mild Name.*Mild Name/)
    expect(shown()).not.toMatch(/vile/i)
    await viewer.close()
    expect((await client.session()).user?.username).toBe('Mild Name')
    expect((await world.newcomer().login('Mild Name', PASSWORD)).status).toBe(200)
    expect((await world.newcomer().createAccount('Vile Name', PASSWORD)).status).toBe(201)
  })

  test.each([
    ['a taken name in another spelling', ['Old Name', 'Öther-One'], 'The name "Öther-One" is taken'],
    ['an invalid name', ['Old Name', 'a\u0007b'], 'A name cannot contain invisible or control characters'],
    ['an unknown user', ['Nobody Here', 'Someone'], 'No user is called "Nobody Here"'],
  ])('refuses %s', async (_, names, reason) => {
    await world.newcomer().createAccount('Old Name', PASSWORD)
    await world.newcomer().createAccount('Other One', PASSWORD)
    await expect(users('rename', ...names)).rejects.toThrow(reason)
    expect(await world.sql("select from users where username = 'Old Name'")).toHaveLength(1)
  })
})

const playerOf = async (username: string) => {
  const [row] = await world.sql<{ player: string }>('select player from attempts where username = $1', [
    username,
  ])
  return row?.player ?? ''
}

test("delete takes a guest's name off the attempts and returns the prize; the browser becomes a new guest", async () => {
  const client = world.newcomer()
  await client.play(0, 'Rude Rabbit')
  const player = await playerOf('Rude Rabbit')
  expect((await users('delete', player)).join()).toMatch(/^The guest is deleted: \d+ held TAPS/)
  expect(await world.sql("select from attempts where username = 'Rude Rabbit'")).toEqual([])
  expect((await client.session()).prize).toBeNull()
  await client.play(400, 'New Rabbit')
  expect(await playerOf('New Rabbit')).not.toBe(player)

  await claimant('Kept User')
  for (const id of [player, await playerOf('Kept User')]) {
    await expect(users('delete', id)).rejects.toThrow(`No guest with the ID ${id} has played`)
  }
  expect(await board()).toContain('Kept User')
})
describe('ban', () => {
  test('ends the sessions on every node and refuses even the right password until the user is unbanned', async () => {
    const client = await claimant('Banished')
    const device = world.newcomer(await world.addNode())
    await device.login('Banished', PASSWORD)
    const { user } = await client.session()
    expect((await users('ban', 'banished'))[0]).toBe(
      `"Banished" (id:${user?.id}) is banned: all sessions have ended, and logins are refused.`,
    )
    expect((await client.session()).user).toBeNull()
    expect((await device.session()).user).toBeNull()
    expect((await world.newcomer().login('Banished', PASSWORD)).body.code).toBe('account_banned')
    await expect(users('ban', 'Banished')).rejects.toThrow(/is already banned, and has no TAPS$/)

    await users('unban', 'Banished')
    expect((await world.newcomer().login('Banished', PASSWORD)).body.user?.id).toBe(user?.id)
    await expect(users('unban', 'Banished')).rejects.toThrow(/is not banned$/)
  })

  test('moves the balance and the held prize to the pool for good, and takes the user off the leaderboard', async () => {
    const client = await claimant('Bot')
    await client.play(0)
    const { user: owner, prize: held } = await client.session()
    const taps = (owner?.taps_balance ?? 0) + (held?.taps ?? 0)
    const before = await pool()
    expect((await users('ban', 'Bot', 'a script'))[1]).toBe(
      `${taps} TAPS, held or in the balance, are back in the pool. An unban does not return them.`,
    )
    expect(await pool()).toBe(before + taps)
    expect(await board()).not.toContain('Bot')
    const acts = 'select detail from operator_acts where name = $1 order by id desc limit 1'
    expect(await world.sql(acts, ['Bot'])).toEqual([{ detail: `a script; ${taps} TAPS back in the pool` }])

    await users('unban', 'Bot')
    const { user, prize } = (await world.newcomer().login('Bot', PASSWORD)).body
    expect([user?.taps_balance, prize]).toEqual([0, null])
    expect(await board()).toContain('Bot')
    expect(await checkLedger(world.pool), 'of each account too').toMatchObject({ ok: true })
  })

  test('takes what an earlier ban left, and keeps the day of that ban', async () => {
    const client = await claimant('Banned Before')
    const { user } = await client.session()
    await world.sql(`update users set banned_at = '2026-01-01' where id = $1`, [user?.id])
    expect((await users('ban', 'Banned Before'))[1]).toMatch(
      new RegExp(`^${user?.taps_balance} TAPS, held or in the balance`),
    )
    expect(await users('search', 'Banned Before')).toEqual([
      expect.stringMatching(/, 0 TAPS, .*, banned since 2026-01-01T/),
    ])
  })

  test('leaves no session open when a login and a password change wait for the ban to commit', async () => {
    const client = await claimant('Just Banned')
    const device = world.newcomer()
    const gate = await Gate.close(world.database.connection)
    const banned = users('ban', 'Just Banned')
    await gate.holds('ban_account')
    const login = device.login('Just Banned', PASSWORD)
    await gate.holds('open_session')
    const change = client.post<ProblemBody>('/api/password', {
      password: PASSWORD,
      new_password: 'a better one',
    })
    await gate.holds('change_password')
    await gate.open()
    await banned
    expect((await login).status).toBe(401)
    expect((await change).status).toBe(409)
    expect((await device.session()).user).toBeNull()
    expect((await client.session()).user).toBeNull()
    expect(
      await world.sql(`select from sessions join users on users.id = user_id where username = 'Just Banned'`),
    ).toEqual([])
  })

  test('records no attempt that waits for the ban to commit', async () => {
    const client = await claimant('Cut Short')
    const started = await client.start()
    const gate = await Gate.close(world.database.connection)
    const banned = users('ban', 'Cut Short')
    await gate.holds('ban_account')
    const stopped = client.stop(started, 500)
    await gate.holds('record_batch')
    await gate.open()
    await banned
    expect((await stopped).body).toMatchObject({ status: 409, code: 'stale_round' })
  })
})

test('delete returns the TAPS to the pool and frees the name', async () => {
  const client = await claimant('Unwanted')
  const { user } = await client.session()
  const { body: won } = await client.play(0)
  const taps = (user?.taps_balance ?? 0) + (won.attempt.won_taps ?? 0)
  const before = await pool()
  expect((await users('delete', `id:${user?.id}`))[0]).toBe(
    `"Unwanted" (id:${user?.id}) is deleted: ${taps} TAPS, held or in the balance, are back in the pool.`,
  )
  expect(await pool()).toBe(before + taps)
  expect((await client.session()).user).toBeNull()
  expect(await world.sql(`select from attempts where username = 'Unwanted'`)).toEqual([])
  await expect(users('delete', 'Unwanted')).rejects.toThrow('No user is called "Unwanted"')
  expect((await world.newcomer().createAccount('Unwanted', PASSWORD)).status).toBe(201)
})

test('a ban and a deletion say and record that no TAPS were held', async () => {
  await world.newcomer().createAccount('Pauper', PASSWORD)
  expect((await users('ban', 'Pauper'))[1]).toBe('The user held no TAPS.')
  expect((await users('delete', 'Pauper'))[0]).toMatch(/ is deleted, and held no TAPS\.$/)
  await guest('Poor Guest')
  expect((await users('delete', await playerOf('Poor Guest')))[0]).toBe(
    'The guest is deleted, and held no TAPS.',
  )
  expect(
    await world.sql("select from operator_acts where detail like '%0 TAPS%' and name = 'Pauper'"),
  ).toEqual([])
})

test('every command that changes a user is recorded, and changes nothing when it cannot be recorded', async () => {
  const { user } = await (await claimant('Worked On')).session()
  const commands = [
    ['rename', 'Worked On', 'Worked On 2'],
    ['rename', 'Worked On 2', 'Worked On'],
    ['reset-password', 'Worked On'],
    ['ban', 'Worked On', 'for a reason'],
    ['unban', 'Worked On'],
    ['delete', 'Worked On'],
  ]
  await world.sql('alter table operator_acts add constraint full_disk check (id < 0) not valid')
  await expect(users('ban', 'Worked On')).rejects.toThrow('full_disk')
  await world.sql('alter table operator_acts drop constraint full_disk')
  for (const argv of commands) await users(...argv)
  const rows = await world.sql(
    'select act, name, detail, by_user from operator_acts where user_id = $1 order by id',
    [user?.id],
  )
  const by_user = systemUser()
  expect(rows).toMatchObject(commands.map(([act]) => ({ act, by_user })))
  expect(rows[0]).toMatchObject({ name: 'Worked On', detail: 'to Worked On 2' })
  expect(rows[3]).toMatchObject({
    name: 'Worked On',
    detail: `for a reason; ${user?.taps_balance} TAPS back in the pool`,
  })
})

test('search finds names by any part, in any spelling, shortest first', async () => {
  for (const name of ['Zoë Ann', 'Mazoe', 'Zoe']) await world.newcomer().createAccount(name, PASSWORD)
  const names = (await users('search', 'zÖ')).map(line => /"(.+)"/.exec(line)?.[1])
  expect(names).toEqual(['Zoe', 'Mazoe', 'Zoë Ann'])
  expect(await users('search', 'nobody like this')).toEqual(['No name contains this part.'])
  await expect(users('search', '%')).rejects.toThrow('"%" has no letter')
  await world.sql(
    `insert into users (username, username_key, password_hash, player)
    select 'Crowd ' || number, 'crowd' || number, '', gen_random_uuid() from generate_series(1, 51) as number`,
  )
  const found = await users('search', 'crowd')
  expect(found).toHaveLength(51)
  expect(found.at(-1)).toMatch(/^Only the shortest names/)
})

test.each([
  [['rename', 'one'], 'Usage: ./taps users rename <name> <new-name>'],
  [['toString'], 'Unknown command "users toString": see ./taps --help'],
])('gives a one-line error for the arguments %j', async (argv, line) => {
  await expect(users(...argv)).rejects.toThrow(new UsageError(line))
})
