import { describe, expect, test } from 'vitest'
import type { AttemptList, Leaderboard } from '../../contract/api.ts'
import { rounds } from '../../tests/support/forgery.ts'
import { openOperator } from '../../tests/support/operator.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openWorld } from '../../tests/support/world.ts'
import { UsageError } from './command.ts'

const world = openWorld()
const { players } = openOperator(world)
const PASSWORD = 'correct horse battery'

/** An account that has won, claimed and stands on the board. */
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
  test('prints a random password once, which signs in, and ends all sessions', async () => {
    const client = await claimant('Forgetful')
    const lines = await players('reset-password', 'forgetful')
    const [, password = ''] = /is now ([\w-]{24})$/.exec(lines[0] ?? '') ?? []
    expect(password).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){4}$/)
    expect((await client.session()).user).toBeNull()
    expect((await world.newcomer().login('Forgetful', PASSWORD)).body.code).toBe('invalid_password')
    expect((await world.newcomer().login('Forgetful', password)).status).toBe(200)
    expect((await players('reset-password', 'Forgetful')).join()).not.toContain(password)
  })

  test('is refused with another secret than the game’s, under which the password would open nothing', async () => {
    await world.sql("insert into game_secret (fingerprint) values (sha256('another'))")
    await expect(players('reset-password', 'Forgetful')).rejects.toThrow('SECRET is not the one')
    await world.sql('delete from game_secret')
  })

  test('makes a password for three days, unless its owner makes a better one of it', async () => {
    await claimant('Slow')
    await claimant('Prompt')
    const passwordOf = async (name: string) =>
      / now (\S+)$/.exec((await players('reset-password', name))[0] ?? '')?.[1] ?? ''
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

test('an account called like an option is acted on', async () => {
  await claimant('-h')
  await expect(players('ban', '-h')).resolves.toEqual([
    expect.stringContaining('is banned'),
    expect.anything(),
  ])
})

describe('rename', () => {
  test('gives an account another name everywhere, also in what it has played, within a tick', async () => {
    const client = await claimant('Old Name')
    const viewer = await Viewer.open(world.game.url)
    await expect.poll(() => JSON.stringify(viewer.latest('attempts'))).toContain('Old Name')
    await players('rename', 'old name', '  New Name ')
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

  test('takes the old name off what its owner has played as a guest', async () => {
    const client = await guest('Vile Name')
    await client.createAccount('Vile Name', PASSWORD)
    await players('rename', 'Vile Name', 'Mild Name')
    const names = await feed()
    expect(names).toContain('Mild Name')
    expect(names).not.toContain('Vile Name')
  })

  test('may change no more than how the name is written', async () => {
    await claimant('small letters')
    await players('rename', 'small letters', 'Small Letters')
    expect(await board()).toContain('Small Letters')
  })

  test.each([
    [
      'a name that is taken',
      ['Renamed One', 'Other One'],
      '"Other One" is an account already, perhaps written in another way',
    ],
    [
      'the same name, written otherwise',
      ['Renamed One', 'Öther-One'],
      '"Öther-One" is an account already, perhaps written in another way',
    ],
    ['no name', ['Renamed One', 'a\u202eb'], 'A name cannot contain invisible or control characters'],
    ['a name, of nobody', ['Nobody Here', 'Somebody'], 'There is no account called "Nobody Here"'],
  ])('to %s is refused', async (_, names, words) => {
    await world.newcomer().createAccount('Renamed One', PASSWORD)
    await world.newcomer().createAccount('Other One', PASSWORD)
    await expect(players('rename', ...names)).rejects.toThrow(words)
    expect(await world.sql("select from users where username = 'Renamed One'")).toHaveLength(1)
  })
})

describe('hide and unhide', () => {
  test('take the name of an account off feed and leaderboard, and bring it back, within a tick', async () => {
    const client = await claimant('Offensive')
    const viewer = await Viewer.open(world.game.url)
    const parts = ['prize_pool', 'leaderboard', 'attempts'] as const
    const seen = () => JSON.stringify(parts.map(part => viewer.latest(part)))
    await expect
      .poll(() => parts.every(part => JSON.stringify(viewer.latest(part)).includes('Offensive')))
      .toBe(true)
    await players('hide', 'offensive')
    await expect.poll(seen).not.toContain('Offensive')
    expect(seen()).toContain('Hidden player')
    expect(await board()).not.toContain('Offensive')
    expect((await client.session()).user?.username).toBe('Offensive')
    const [, id = ''] = /id:(\d+)/.exec((await players('show', 'Offensive'))[0] ?? '') ?? []
    await players('unhide', `id:${id}`)
    await expect.poll(seen).toContain('Offensive')
    await viewer.close()
    expect(await board()).toContain('Offensive')
    await expect(players('unhide', `id:${id}`)).rejects.toThrow('"Offensive" is not hidden')
  })

  test('do so for guests, now and later, however they write the name', async () => {
    await guest('Rude Guest')
    expect(await feed()).toContain('Rude Guest')
    await players('hide', 'Rude Guest')
    await expect(players('hide', '...')).rejects.toThrow('no letter')
    await guest('RÛDE-GUEST')
    await guest('Polite Guest')
    const [newest, ...older] = await feed()
    expect(newest).toBe('Polite Guest')
    expect(older.slice(0, 2)).toEqual(['Hidden player', 'Hidden player'])
  })
})

test('clear-flag makes a player win again who was taken for a script', async () => {
  const { round } = await world.newcomer().session()
  const { player } = rounds.readRound(round.token)
  await world.sql('insert into flags (player) values ($1)', [player])
  expect(await players('clear-flag', player)).toEqual([expect.stringContaining(player)])
  await expect(players('clear-flag', player)).rejects.toThrow('is not flagged')
  await expect(players('clear-flag', 'Bob')).rejects.toThrow('There is no account called "Bob"')
})

test.each([
  [['hide']],
  [['rename', 'one']],
  [['hide', 'two', 'words']],
  [['clear-flag']],
  [['clear-flag', 'one', 'two']],
  [['list', 'toString']],
  [['show', 'one', 'two']],
  [['toString']],
  [['remove', 'x']],
])('the words %j ask for nothing', async words => {
  await expect(players(...words)).rejects.toThrow(UsageError)
})
