import { expect, test } from 'vitest'
import { toUrl } from '../../tests/support/command.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { runInProcess } from '../../tests/support/operator.ts'
import { openWorld } from '../../tests/support/world.ts'
import { WINNERS } from './queries.ts'

const world = openWorld()

async function playAsGuest(name: string, errorMs: number): Promise<void> {
  const client = world.newcomer()
  await client.play(errorMs, name)
}

test('`./taps winners` lists every win with its TAPS, and the closest attempts', async () => {
  await playAsGuest('Far Fox', 300)
  await playAsGuest('Near Newt', 20)
  const user = world.newcomer()
  await user.createAccount('mira', 'correct horse battery')
  await user.play(-10)
  const settings = { DATABASE_URL: toUrl(world.database.connection), SECRET: TEST_SECRET }
  const { lines } = await runInProcess([WINNERS], ['winners'], settings)
  expect(lines).toEqual([
    'won at\tTAPS\tname\tplayer\ttarget in s\ttime in s\tdifference in s',
    expect.stringMatching(/^\d{4}-\S+Z\t1\tmira\taccount\t\d\.\d\d\t\d\.\d{3}\t-0\.010$/),
    expect.stringMatching(/^\d{4}-\S+Z\t2\tNear Newt\tguest\t.*\t0\.020$/),
    '(2 rows)',
    'name\tplayer\ttarget in s\ttime in s\tdifference in s',
    expect.stringMatching(/^mira\taccount\t.*\t-0\.010$/),
    expect.stringMatching(/^Near Newt\tguest\t/),
    expect.stringMatching(/^Far Fox\tguest\t/),
    '(3 rows)',
  ])
})
