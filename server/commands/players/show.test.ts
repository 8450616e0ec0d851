import { expect, test } from 'vitest'
import { openOperator } from '../../../tests/support/operator.ts'
import { openWorld } from '../../../tests/support/world.ts'

const world = openWorld({ prizeHoldMinutes: 15 })
const { run, players } = openOperator(world)
const PASSWORD = 'correct horse battery'

/** What is held for guests is over now, and back in the pool. */
async function expireHolds(): Promise<void> {
  await world.sql(`update holds set held_until = now() - interval '1 minute' where held_until is not null`)
  await world.sql('select expire_holds()')
}

/** An account of which every kind of thing has happened to prizes; its story is told by the attempts, oldest first. */
async function livelyAccount(name: string) {
  const client = world.newcomer()
  const attempts: number[] = []
  const win = async (by = client, as = 'Lone Guest 1') => {
    const { body } = await by.play((await by.session()).round, 13, as)
    attempts.push(body.attempt.id)
  }
  await win()
  await expireHolds()
  await win()
  await client.createAccount(name, PASSWORD)
  await win()
  await client.post('/api/claim')
  const guest = world.newcomer()
  await win(guest, 'Quick Guest 2')
  await guest.login(name, PASSWORD)
  await win(guest)
  const { user } = await client.session()
  return { id: user?.id ?? 0, attempts, client }
}

const TIME = String.raw`20\d\d-[\d-]+T[\d:.]+Z`
const PLAYER = String.raw`[\da-f-]{36}`
const matching = (text: string) => expect.stringMatching(new RegExp(`^${text}$`))

test('show tells of every prize whose it was and what became of it, and that it adds up', async () => {
  const { id, attempts } = await livelyAccount('Lively')
  const won = (place: number, taps: number, rest: string) => {
    const attempt = `  attempt ${attempts[place]}, ${TIME}`
    return matching(String.raw`${attempt}: \d\.\d\d3 s for \d\.\d\d s won ${taps} TAPS, ${rest}`)
  }
  expect(await players('show', 'lively')).toEqual([
    matching(`id:${id} "Lively", since ${TIME}, player ${PLAYER}`),
    '4 attempts played; 5 prizes, own and brought along:',
    won(4, 1, 'held'),
    won(3, 1, `as guest "Quick Guest 2", player ${PLAYER}, held`),
    won(2, 1, `claimed ${TIME}`),
    // The pool has what the first prize was.
    won(1, 2, `as guest "Lone Guest 1", claimed ${TIME}`),
    won(0, 1, `as guest "Lone Guest 1", returned to the pool ${TIME}`),
    'In all: 3 TAPS claimed, 2 held, 1 returned to the pool.',
    'The balance is 3 TAPS, as much as was claimed.',
    'What is held is 2 TAPS, as much as the held prizes.',
    'No operator has done anything to it.',
  ])
})

test('show says so, and fails, when the prizes do not come to the balance, or to the hold', async () => {
  const { id } = await livelyAccount('Muddled')
  await world.sql('update users set taps_balance = taps_balance + 5 where id = $1', [id])
  const hold = 'where ended_at is null and player = (select player from users where id = $1)'
  await world.sql(`update holds set taps = taps + 6 ${hold}`, [id])
  const { sound, lines } = await run('show', 'Muddled')
  await world.sql('update users set taps_balance = taps_balance - 5 where id = $1', [id])
  await world.sql(`update holds set taps = taps - 6 ${hold}`, [id])
  expect(sound).toBe(false)
  expect(lines).toContain('The balance is 8 TAPS, but 3 were claimed.')
  expect(lines).toContain('What is held is 8 TAPS, but the held prizes come to 2.')
})

test('show tells the story of a deleted account by its number, and who deleted it', async () => {
  const { id } = await livelyAccount('Short Lived')
  await players('delete', 'Short Lived')
  const lines = await players('show', `id:${id}`)
  expect(lines[0]).toMatch(
    new RegExp(`^id:${id}, deleted: the 3 TAPS of its balance went back to the pool\\.$`),
  )
  expect(lines).toContain('In all: 3 TAPS claimed, 0 held, 3 returned to the pool.')
  expect(lines).toContain('The balance when it was deleted is 3 TAPS, as much as was claimed.')
  expect(lines.at(-1)).toMatch(new RegExp(`^  ${TIME} delete "Short Lived", by .+$`))
  await expect(players('show', 'id:999999')).rejects.toThrow('There is no account called "id:999999"')
})
