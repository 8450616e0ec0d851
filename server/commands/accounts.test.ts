import { describe, expect, test } from 'vitest'
import type { Leaderboard, PrizePool, ProblemBody } from '../../contract/api.ts'
import { Gate } from '../../tests/faults/gate.ts'
import { openOperator } from '../../tests/support/operator.ts'
import { openWorld } from '../../tests/support/world.ts'
import { RELEASE } from '../database/migrate.ts'
import { systemUser } from '../lib/process.ts'

const world = openWorld()
const { users } = openOperator(world)
const PASSWORD = 'correct horse battery'
/** Creates an account with one claimed and one held prize. */
async function accountWithPrizes(username: string) {
  const client = world.newcomer()
  const { body } = await client.createAccount(username, PASSWORD)
  const { body: first } = await client.play(body.round, 0)
  await client.post('/api/claim')
  await client.play(first.round, 0)
  return client
}

const board = async () =>
  (await world.newcomer().get<Leaderboard>('/api/leaderboard')).body.leaderboard.map(row => row.username)

const pool = async () => (await world.newcomer().get<PrizePool>('/api/prize-pool')).body.taps

const logIn = (username: string, password = PASSWORD) => world.newcomer().login(username, password)

describe('ban', () => {
  test('ends the sessions on every node and refuses even the right password until the user is unbanned', async () => {
    const client = await accountWithPrizes('Banished')
    const device = world.newcomer(await world.addNode())
    await device.login('Banished', PASSWORD)
    const before = await client.session()
    expect(await users('ban', 'banished')).toEqual([
      `"Banished" (id:${before.user?.id}) is banned: all sessions have ended, and logins are refused.`,
      'The user keeps 1 TAPS, any held prize and the rank on the leaderboard.',
    ])
    expect((await client.session()).user).toBeNull()
    expect((await device.session()).user).toBeNull()
    expect((await logIn('Banished')).body.code).toBe('account_banned')
    expect(await board()).toContain('Banished')
    await expect(users('ban', 'Banished')).rejects.toThrow(/is already banned$/)

    await users('unban', 'Banished')
    const { body } = await logIn('Banished')
    expect({ user: body.user, prize: body.prize }).toEqual({ user: before.user, prize: before.prize })
    await expect(users('unban', 'Banished')).rejects.toThrow(/is not banned$/)
  })

  test('leaves no session open when a login and a password change wait for the ban to commit', async () => {
    const client = await accountWithPrizes('Just Banned')
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
})

test('delete returns the TAPS to the pool and frees the name', async () => {
  const client = await accountWithPrizes('Unwanted')
  const { user, prize } = await client.session()
  const before = await pool()
  expect((await users('delete', `id:${user?.id}`))[0]).toBe(
    `"Unwanted" (id:${user?.id}) is deleted: 2 TAPS, held or in the balance, are back in the pool.`,
  )
  expect(await pool()).toBe(before + (user?.taps_balance ?? 0) + (prize?.taps ?? 0))
  expect((await client.session()).user).toBeNull()
  expect(await world.sql(`select from attempts where username = 'Unwanted'`)).toEqual([])
  await expect(users('delete', 'Unwanted')).rejects.toThrow('No user is called "Unwanted"')
  expect((await world.newcomer().createAccount('Unwanted', PASSWORD)).status).toBe(201)
})

describe('every command that changes a user', () => {
  /** Creates an account. Returns commands on the account, in an order in which all succeed. */
  async function accountAndCommands(name: string) {
    const client = await accountWithPrizes(name)
    const { user } = await client.session()
    const commands = [
      ['rename', name, `${name} 2`],
      ['rename', `${name} 2`, name],
      ['reset-password', name],
      ['ban', name, 'for a reason'],
      ['unban', name],
      ['delete', name],
    ]
    return { id: user?.id, commands }
  }

  test('is recorded with its target and the system user', async () => {
    const { id, commands } = await accountAndCommands('Worked On')
    for (const argv of commands) await users(...argv)
    const rows = await world.sql<{ act: string; name: string; detail: string | null; by_user: string }>(
      'select act, name, detail, by_user from operator_acts where user_id = $1 order by id',
      [id],
    )
    expect(rows.map(({ act }) => act)).toEqual(commands.map(([command]) => command))
    expect(new Set(rows.map(({ by_user }) => by_user))).toEqual(new Set([systemUser()]))
    const recorded = (act: string) => rows.find(row => row.act === act)
    expect(recorded('ban')).toMatchObject({ name: 'Worked On', detail: 'for a reason' })
    expect(recorded('rename')).toMatchObject({ name: 'Worked On', detail: 'to Worked On 2' })
  })

  test('changes nothing when it cannot be recorded', async () => {
    const { id, commands } = await accountAndCommands('Not Worked On')
    const state = () =>
      world.sql(
        `select users,
          (select count(*) from sessions where user_id = users.id)
        from users where id = $1`,
        [id],
      )
    const before = await state()
    await world.sql('alter table operator_acts add constraint full_disk check (id < 0) not valid')
    try {
      const possible = commands.filter(([command, name]) => command !== 'unban' && name === 'Not Worked On')
      for (const argv of possible) await expect(users(...argv), argv.join(' ')).rejects.toThrow('full_disk')
      expect(await state()).toEqual(before)
    } finally {
      await world.sql('alter table operator_acts drop constraint full_disk')
    }
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

test('show lists the newest prizes with the name and state of each, then the totals of claims and holds', async () => {
  const client = world.newcomer()
  const win = async (by = client, as = 'Lone Guest 1') => by.play((await by.session()).round, 13, as)
  await win()
  await client.createAccount('Lively', PASSWORD)
  await client.post('/api/claim')
  const guest = world.newcomer()
  await win(guest, 'Quick Guest 2')
  await guest.login('Lively', PASSWORD)
  await win(guest)
  const [, ...lines] = await users('show', 'lively')
  const won = (as: string, state: string) =>
    expect.stringMatching(
      `^attempt \\d+, 20[\\dT:-]+Z: \\d\\.\\d{3} s for \\d\\.\\d\\d s by "${as}" won \\d+ TAPS, ${state}$`,
    )
  expect(lines.slice(0, 3)).toEqual([
    won('Lively', 'held'),
    won('Quick Guest 2', 'held'),
    won('Lone Guest 1', 'claimed'),
  ])
  expect(lines[3]).toMatch(
    /^Claimed prizes: (\d+) TAPS; balance: \1\. Held prizes: (\d+) TAPS; open hold: \2\.$/,
  )
})

test('./taps users refuses a game of an earlier release', async () => {
  const file = '0001_tables.sql'
  const rows = await world.sql<{ hash: string }>('delete from migrations where file = $1 returning hash', [
    file,
  ])
  try {
    await expect(users('search', 'a')).rejects.toThrow(/^This game belongs to an earlier release/)
  } finally {
    const row = [file, rows[0]?.hash, RELEASE]
    await world.sql('insert into migrations (file, hash, release) values ($1, $2, $3)', row)
  }
})
