import { expect, test } from 'vitest'
import { toUrl } from '../../tests/support/command.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { runInProcess } from '../../tests/support/operator.ts'
import { openWorld } from '../../tests/support/world.ts'
import { WINNERS } from './queries.ts'

const world = openWorld()

async function winners(...options: string[]): Promise<readonly string[]> {
  const settings = { DATABASE_URL: toUrl(world.database.connection), SECRET: TEST_SECRET }
  return (await runInProcess([WINNERS], ['winners', ...options], settings)).lines
}

async function playAsGuest(name: string, errorMs: number): Promise<void> {
  const client = world.newcomer()
  await client.play((await client.session()).round, errorMs, name)
}

test('`./taps winners` lists every win with its TAPS, and the closest attempts', async () => {
  expect(await winners()).toEqual(['Nobody has won yet.', 'Closest attempts:'])
  await expect(winners('--json')).rejects.toThrow('Unknown option --json')
  await playAsGuest('Far Fox', 300)
  await playAsGuest('-1.cmd', 20)
  const user = world.newcomer()
  const { body } = await user.createAccount('mira', 'correct horse battery')
  await user.play(body.round, -10)
  const lines = await winners()
  expect(lines).toEqual([
    'Wins, newest first (at most 1000):',
    expect.stringMatching(/^ {2}\d{4}-\S+Z {2}1 TAPS {2}"mira" {2}-0\.010 s: \d\.\d{3} s for \d\.\d\d s$/),
    expect.stringMatching(/ {2}2 TAPS {2}"-1\.cmd" \(guest\) {2}\+0\.020 s/),
    'Closest attempts:',
    expect.stringContaining('"mira"  -0.010 s'),
    expect.stringContaining('"-1.cmd" (guest)'),
    expect.stringContaining('"Far Fox" (guest)'),
  ])
})

test('`./taps winners --csv` quotes names, and marks a name that looks like a formula as text', async () => {
  const [head, ...rows] = await winners('--csv')
  expect(head).toMatch(/^won at,name,player,TAPS,/)
  expect(rows).toEqual([
    expect.stringMatching(/^\d{4}-\S+Z,"mira",account,1,\d(\.\d+)?,\d(\.\d+)?,-0\.01$/),
    expect.stringMatching(/^\d{4}-\S+Z,"'-1\.cmd",guest,2,\d(\.\d+)?,\d(\.\d+)?,0\.02$/),
  ])
})
