import { describe, expect, test } from 'vitest'
import type { AttemptList, Leaderboard } from '../../contract/api.ts'
import { openOperator } from '../../tests/support/operator.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openWorld } from '../../tests/support/world.ts'
import { UsageError } from './command.ts'

const world = openWorld()
const { users } = openOperator(world)
const PASSWORD = 'correct horse battery'

/** Creates an account that has claimed a prize and is on the leaderboard. */
async function claimant(username: string) {
  const client = world.newcomer()
  const { body } = await client.createAccount(username, PASSWORD)
  await client.play(body.round, 0)
  await client.post('/api/claim')
  return client
}

async function guest(username: string) {
  const client = world.newcomer()
  await client.play((await client.session()).round, 500, username)
  return client
}

const feed = async () =>
  (await world.newcomer().get<AttemptList>('/api/attempts')).body.attempts.map(({ username }) => username)
const board = async () =>
  (await world.newcomer().get<Leaderboard>('/api/leaderboard')).body.leaderboard.map(row => row.username)

describe('reset-password', () => {
  test('sets and prints a new random password each time, and ends all sessions', async () => {
    const client = await claimant('Forgetful')
    const lines = await users('reset-password', 'forgetful')
    const [, password = ''] = /is now ([\da-f-]{36})$/.exec(lines[0] ?? '') ?? []
    expect((await client.session()).user).toBeNull()
    expect((await world.newcomer().login('Forgetful', PASSWORD)).body.code).toBe('invalid_password')
    expect((await world.newcomer().login('Forgetful', password)).status).toBe(200)
    expect((await users('reset-password', 'Forgetful')).join()).not.toContain(password)
  })

  test('sets a temporary password that expires after three days unless the user changes it', async () => {
    await claimant('Slow')
    await claimant('Prompt')
    const passwordOf = async (name: string) =>
      / now (\S+)$/.exec((await users('reset-password', name))[0] ?? '')?.[1] ?? ''
    const [slow, prompt] = [await passwordOf('Slow'), await passwordOf('Prompt')]
    const owner = world.newcomer()
    await owner.login('Prompt', prompt)
    expect((await owner.post('/api/password', { password: prompt, new_password: PASSWORD })).status).toBe(204)
    await world.sql("update users set password_expires_at = password_expires_at - interval '3 days'")
    const refused = await world.newcomer().login('Slow', slow)
    expect(refused.body).toMatchObject({ code: 'invalid_password', title: expect.stringMatching(/expired/) })
    const again = await world.newcomer().createAccount('Slow', slow)
    expect(again.body).toMatchObject({ code: 'username_taken', title: expect.stringMatching(/expired/) })
    expect((await world.newcomer().login('Slow', 'a wrong password')).body.title).toBe('Invalid password')
    expect((await world.newcomer().login('Prompt', PASSWORD)).status).toBe(200)
  })
})

test('accepts an account name that looks like an option', async () => {
  await claimant('-h')
  await expect(users('ban', '-h')).resolves.toEqual([expect.stringContaining('is banned'), expect.anything()])
})

describe('rename', () => {
  test('renames an account in open streams, in past attempts and at login', async () => {
    const client = await claimant('Old Name')
    const viewer = await Viewer.open(world.game.url)
    await expect.poll(() => JSON.stringify(viewer.latest('attempts'))).toContain('Old Name')
    await users('rename', 'old name', '  New Name ')
    await expect.poll(() => JSON.stringify(viewer.latest('attempts'))).toContain('New Name')
    await expect.poll(() => JSON.stringify(viewer.latest('leaderboard'))).toContain('New Name')
    expect(JSON.stringify([viewer.latest('attempts'), viewer.latest('leaderboard')])).not.toContain(
      'Old Name',
    )
    await viewer.close()
    expect((await client.session()).user?.username).toBe('New Name')
    expect((await world.newcomer().login('New Name', PASSWORD)).status).toBe(200)
    expect((await world.newcomer().createAccount('Old Name', PASSWORD)).status).toBe(201)
  })

  test('replaces the old name on attempts that the user made as a guest', async () => {
    const client = await guest('Vile Name')
    await client.createAccount('Vile Name', PASSWORD)
    await users('rename', 'Vile Name', 'Mild Name')
    const names = await feed()
    expect(names).toContain('Mild Name')
    expect(names).not.toContain('Vile Name')
  })

  test('allows a new name that differs only in capitals', async () => {
    await claimant('small letters')
    await users('rename', 'small letters', 'Small Letters')
    expect(await board()).toContain('Small Letters')
  })

  test.each([
    [
      'a taken name in another spelling',
      ['Renamed One', 'Öther-One'],
      'The name "Öther-One" is taken, perhaps in another spelling: choose another name',
    ],
    ['an invalid name', ['Renamed One', 'a\u202eb'], 'A name cannot contain invisible or control characters'],
    ['an unknown user', ['Nobody Here', 'Someone'], 'No user is called "Nobody Here"'],
  ])('refuses %s', async (_, names, reason) => {
    await world.newcomer().createAccount('Renamed One', PASSWORD)
    await world.newcomer().createAccount('Other One', PASSWORD)
    await expect(users('rename', ...names)).rejects.toThrow(reason)
    expect(await world.sql("select from users where username = 'Renamed One'")).toHaveLength(1)
  })
})

describe('delete with a player ID', () => {
  const playerOf = async (username: string) => {
    const [row] = await world.sql<{ player: string }>('select player from attempts where username = $1', [
      username,
    ])
    return row?.player ?? ''
  }

  test("takes a guest's name off the attempts and returns the prize; the browser becomes a new guest", async () => {
    const client = world.newcomer()
    await client.play((await client.session()).round, 0, 'Rude Rabbit')
    const player = await playerOf('Rude Rabbit')
    expect((await users('delete', player)).join()).toMatch(/^The guest is deleted: \d+ held TAPS/)
    expect(await world.sql("select from attempts where username = 'Rude Rabbit'")).toEqual([])
    expect((await client.session()).prize).toBeNull()
    await client.play((await client.session()).round, 400, 'New Rabbit')
    expect(await playerOf('New Rabbit')).not.toBe(player)
    await expect(users('delete', player)).rejects.toThrow('No guest with the ID')
  })

  test('refuses the player of an account and an unknown ID, and changes nothing', async () => {
    await claimant('Kept User')
    for (const id of [await playerOf('Kept User'), '00000000-0000-4000-8000-000000000000']) {
      await expect(users('delete', id)).rejects.toThrow(`No guest with the ID ${id} has played`)
    }
    expect(await board()).toContain('Kept User')
  })
})

test.each([
  [['rename', 'one'], 'Usage: ./taps users rename <name> <new-name>'],
  [['show', 'one', 'two'], 'Usage: ./taps users show <name>'],
  [['toString'], 'Unknown command "users toString": see ./taps --help'],
  [[], 'Unknown command "users": see ./taps --help'],
])('gives a one-line error for the arguments %j', async (argv, line) => {
  await expect(users(...argv)).rejects.toThrow(new UsageError(line))
})
