import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { toUrl } from '../../tests/support/command.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { runInProcess } from '../../tests/support/operator.ts'
import { openWorld } from '../../tests/support/world.ts'
import { RESULTS } from './results.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

async function list(...argv: string[]): Promise<readonly string[]> {
  const settings = { DATABASE_URL: toUrl(world.database.connection), SECRET: TEST_SECRET }
  return (await runInProcess(RESULTS, argv, settings)).lines
}

/** Two wins of a guest who then signs up under another name, a guest's win, and misses. */
beforeAll(async () => {
  await world.newcomer().play(300, 'Far 👩‍🚀')
  await world.newcomer().play(20, '-1.cmd')
  const pupil = world.newcomer()
  await pupil.play(-10, 'Anna K.')
  await pupil.play(40, 'Anna K.')
  await pupil.createAccount('mira', PASSWORD)
  await pupil.play(500)
  await pupil.post('/api/claim')
})

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('./taps winners', () => {
  test('lists every win with its TAPS and the name under which a guest won, then the closest attempts', async () => {
    const win = (taps: number, names: string, difference: string) =>
      expect.stringMatching(
        new RegExp(
          `^\\d{4}-\\d\\d-\\d\\d \\S{8}\\t${taps}\\t${names}\\t\\d\\.\\d\\d\\t\\d\\.\\d{3}\\t${difference}$`,
        ),
      )
    const lines = await list('winners')
    expect(lines.slice(0, 6)).toEqual([
      'won at\tTAPS\tname\twon as\tplayer\ttarget in s\ttime in s\tdifference in s',
      win(1, 'mira\tAnna K\\.\taccount', '0\\.040'),
      win(1, 'mira\tAnna K\\.\taccount', '-0\\.010'),
      win(2, '-1\\.cmd\t-1\\.cmd\tguest', '0\\.020'),
      '(3 rows)',
      'name\tplayer\ttarget in s\ttime in s\tdifference in s',
    ])
    expect(lines.slice(6).map(line => line.split('\t')[0])).toEqual([
      'mira',
      '-1.cmd',
      'mira',
      'Far 👩‍🚀',
      'mira',
      '(5 rows)',
    ])
  })

  test('prints the wins for a spreadsheet, which runs no name as a formula', async () => {
    expect((await list('winners', '--csv')).at(-1)).toMatch(/^"[^"]+","2","'-1\.cmd","'-1\.cmd","guest",/)
    await expect(list('winners', '--json')).rejects.toThrow('Unknown option --json')
  })

  test("shows times in this machine's time zone", async () => {
    const at = async (zone: string) => {
      vi.stubEnv('TZ', zone)
      return new Date(`${(await list('winners'))[1]?.split('\t')[0]}Z`).getTime()
    }
    expect((await at('Asia/Kolkata')) - (await at('UTC'))).toBe(5.5 * 60 * 60 * 1_000)
  })
})

describe('./taps players', () => {
  test('lists each player once, guests too, with rounds, wins, TAPS won, best and best hand', async () => {
    // Two hands, of different days.
    const [mira] = await world.sql<{ player: string }>("select player from users where username = 'mira'")
    await world.sql(
      "insert into hands (day, player, sum, attempt_id) values ('2026-01-01', $1, 711, 1), ('2026-01-02', $1, 800, 2)",
      [mira?.player],
    )
    expect(await list('players', '--csv')).toEqual([
      '"name","player","rounds","wins","TAPS won","best in s","best hand in s"',
      '"mira","account","3","2","2","0.010","0.142"',
      `"'-1.cmd","guest","1","1","2","0.020",""`,
      '"Far 👩‍🚀","guest","1","0","0","0.300",""',
    ])
  })
})

test('a list says that there is more after 1,000 rows, and has all of them for a spreadsheet', async () => {
  await world.sql(`
    with won as (
      insert into attempts (player, round, username, target_time, actual_time, difference)
      select gen_random_uuid(), 1, 'Many', 1, 1, 0 from generate_series(1, 998) returning id, player
    ), prized as (
      insert into prizes (attempt_id, hold_id, taps) select id, id, 1 from won
    )
    insert into holds (id, player, taps) select id, player, 1 from won`)
  const lines = await list('winners')
  expect(lines[1_001]).toBe('(1000 rows)')
  expect(lines[1_002]).toBe('There are more rows: --csv prints all.')
  expect(await list('winners', '--csv')).toHaveLength(1_002)
})
