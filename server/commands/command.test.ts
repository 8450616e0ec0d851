import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { dumpRows, openPlaces } from '../../tests/support/backups.ts'
import { runBuilt, toUrl } from '../../tests/support/command.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { runInProcess } from '../../tests/support/operator.ts'
import { openWorld } from '../../tests/support/world.ts'
import { BACKUP } from './backup.ts'
import { formatError, UsageError } from './command.ts'
import { LEDGER } from './ledger.ts'
import { NEW_SECRET } from './new-secret.ts'
import { SQL } from './sql.ts'

const world = openWorld()
const paths = openPlaces()

/** Returns the settings for a command on an external database: by default, this file's test database. */
const external = (connection = world.database.connection) => ({
  DATABASE_URL: toUrl(connection),
  SECRET: TEST_SECRET,
})

/** Runs a command in this process and returns its outcome. */
const call = (argv: readonly string[], settings: Record<string, string>) =>
  runInProcess([...BACKUP, LEDGER, ...SQL, NEW_SECRET], argv, settings)

/** The line that names the command's game, with no password in the URL. */
const GAME_LINE = /^postgres:\/\/\w+@[^:\n]+:\d+\/\w+\n$/

describe('./taps', () => {
  test('names the game that each command uses, and exits with 0', async () => {
    const [folder, empty] = [paths.newFolder(), await paths.emptyDatabase()]
    const cases: [string, string[], Record<string, string>, RegExp][] = [
      ['users', ['search', 'nobody'], external(), /^No name contains this part/],
      ['ledger', [], external(), /\nThe ledger is balanced\.\n/],
      ['sql', ['select 1 as one'], external(), /^one\n1\n\(1 rows\)\n$/],
      ['backup', [folder], external(), /^The backup is in /],
      ['restore', [folder], external(empty), /\nThe backup .* is restored\.\n$/],
    ]
    for (const [name, argv, settings, output] of cases) {
      const ran = await runBuilt(name, argv, settings)
      expect(ran, name).toMatchObject({ code: 0, stdout: expect.stringMatching(output) })
      expect(ran.stderr, name).toMatch(GAME_LINE)
    }
  })

  test('prints its version and its help whatever the settings, and refuses an unknown command in one line', async () => {
    const version = await runBuilt('--version', [], { PORT: 'x' })
    expect(version).toEqual({ code: 0, stdout: `${await readFile('dist/version', 'utf8')}\n`, stderr: '' })
    const help = await runBuilt('doctor', ['--help'], { PORT: 'x' })
    expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^.\/taps doctor\n/m) })
    const unknown = await runBuilt('ledgers', [], { PORT: 'x' })
    expect(unknown).toEqual({ code: 2, stdout: '', stderr: 'Unknown command "ledgers": see ./taps --help\n' })
  })

  test('prints one line when a command fails', async () => {
    const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/taps', SECRET: TEST_SECRET }
    expect(await runBuilt('ledger', [], nowhere)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The database cannot be used[^\n]+\n$/),
    })
  })
})

describe('./taps ledger', () => {
  test('exits with 1 when the ledger is out of balance', async () => {
    await world.sql('update prize_pool set taps = taps + 1')
    const off = await runBuilt('ledger', [], external())
    await world.sql('update prize_pool set taps = taps - 1')
    expect(off).toMatchObject({ code: 1, stdout: expect.stringContaining('out of balance by 1 TAPS.\n') })
  })

  test('refuses an empty database, a missing data folder, an invalid setting and a game of a newer release', async () => {
    const empty = external(await paths.emptyDatabase())
    await expect(call(['ledger'], empty)).rejects.toThrow(/^There is no game/)
    const untouched = { DATA_DIR: paths.newFolder() }
    await expect(call(['ledger'], untouched)).rejects.toThrow(/^There is no game/)
    await expect(readdir(untouched.DATA_DIR)).rejects.toThrow('ENOENT')
    await expect(call(['ledger'], { PORT: 'x' })).rejects.toThrow(/^PORT is "x"/)
    const unusable = { ...empty, DATABASE_URL: 'postgres://taps@db/taps?sslrootcert=/no/ca.pem' }
    await expect(call(['ledger'], unusable)).rejects.toThrow(/^A certificate in DATABASE_URL cannot be read/)
    await world.sql('update migrations set release = release + 1')
    await expect(call(['ledger'], external())).rejects.toThrow(/use the newer program$/)
    await world.sql('update migrations set release = release - 1')
  })
})

describe('./taps backup and ./taps restore', () => {
  test('move a game and its secret into a data folder, and out again, even where nothing can be written', async () => {
    const there = paths.newFolder()
    await call(['backup', there], external())
    const settings = { DATA_DIR: paths.newFolder() }
    expect(await call(['restore', there], settings)).toMatchObject({ ok: true })
    expect((await readFile(join(settings.DATA_DIR, 'secret'), 'utf8')).trim()).toBe(TEST_SECRET)
    const wrong = {
      ...external(await paths.emptyDatabase()),
      SECRET: 'another secret that is long enough, too',
    }
    await expect(call(['restore', there], wrong)).rejects.toThrow(
      /^The secret of this backup differs from SECRET/,
    )
    // Not even root can write to this folder, because it does not exist.
    vi.spyOn(process, 'cwd').mockReturnValue('/proc/nowhere')
    const [line = '', advice] = (await call(['backup'], settings)).lines
    const [, back = ''] = /^The backup is in (\S+)\. /.exec(line) ?? []
    expect(dirname(back)).toBe(join(settings.DATA_DIR, 'backups'))
    expect(advice).toMatch(/^Copy the backup elsewhere/)
    const empty = await paths.emptyDatabase()
    await call(['restore', back], external(empty))
    const [{ operator_acts: _, sequences: __, ...moved }, { operator_acts: ___, sequences: ____, ...first }] =
      [await dumpRows(empty), await dumpRows(world.database.connection)]
    expect(moved).toEqual(first)
  })

  test('are recorded in operator_acts, unless the database is full', async () => {
    const folder = paths.newFolder()
    await call(['backup', folder], external())
    const recorded = () => world.sql("select detail from operator_acts where act = 'backup' order by id desc")
    const before = await recorded()
    expect(before[0]).toEqual({ detail: folder })
    await world.sql('alter table operator_acts add constraint full_disk check (id < 0) not valid')
    expect((await call(['backup', paths.newFolder()], external())).lines.join()).toContain('not be recorded')
    await world.sql('alter table operator_acts drop constraint full_disk')
    expect(await recorded()).toEqual(before)
  })

  test('fail with --verify when the ledger in the backup is out of balance', async () => {
    const folder = paths.newFolder()
    await world.sql('update prize_pool set taps = taps + 5')
    await call(['backup', folder], external())
    await world.sql('update prize_pool set taps = taps - 5')
    expect(await call(['backup', '--verify', folder], external())).toMatchObject({
      ok: false,
      lines: expect.arrayContaining(['The ledger is out of balance by 5 TAPS.']),
    })
  })

  test('report a folder that cannot be written in one line', async () => {
    const error = await call(['backup', 'package.json/backup'], external()).catch(formatError)
    expect(error).toMatch(/^ENOTDIR: [^\n]+$/)
  })

  test('refuse an option as a folder, and create nothing when the backup is missing', async () => {
    const untouched = { DATA_DIR: paths.newFolder() }
    for (const command of ['backup', 'restore']) {
      const refused = call([command, '--folder'], untouched)
      await expect(refused).rejects.toThrow(UsageError)
      await expect(refused).rejects.toThrow(
        'Unknown option --folder; for a folder of this name, write ./--folder',
      )
    }
    await expect(readdir(untouched.DATA_DIR)).rejects.toThrow('ENOENT')
  })
})

test('./taps new-secret refuses a game of release 1.0, whose passwords depend on the old secret', async () => {
  const [{ key } = {}] = await world.sql<{ key: Buffer }>('select password_key as key from game_secret')
  await world.sql('update game_secret set password_key = null')
  await expect(call(['new-secret'], external())).rejects.toThrow('start the server first')
  await world.sql('update game_secret set password_key = $1', [key])
})

describe('./taps sql', () => {
  test('runs a query for at most 30 s, and quotes a value that would break the table', async () => {
    const query = `select 'a' as plain, null as nothing, E'b\\n' as broken,
      current_setting('statement_timeout') as timeout`
    expect((await call(['sql', query], external())).lines).toEqual([
      'plain\tnothing\tbroken\ttimeout',
      'a\t\t"b\\n"\t30s',
      '(1 rows)',
    ])
  })

  test('prints rows for a spreadsheet, without a last line of its own', async () => {
    const query = `select 'a "b", c' as text, 1.5 as number, null as nothing, '=1+1' as formula`
    expect((await call(['sql', '--csv', query], external())).lines).toEqual([
      '"text","number","nothing","formula"',
      `"a ""b"", c","1.5","","'=1+1"`,
    ])
    await expect(call(['sql', '--csv'], external())).rejects.toThrow('Usage: ./taps sql --csv <query>')
  })

  test.each([
    ['calls a function that writes', 'select claim_taps(1)', /read-only transaction/],
    ['writes in a second statement', 'select 1; commit; update prize_pool set taps = 1', /multiple commands/],
    ['writes a file', "copy (select 1) to '/tmp/never'", /syntax error/],
  ])('refuses a query that %s', async (_, query, reason) => {
    await expect(call(['sql', query], external())).rejects.toThrow(reason)
  })

  test('escapes the control characters of a query in an error message', async () => {
    const error = await call(['sql', "select (E'\\u001b[31m')::int"], external()).catch(formatError)
    expect(error).toContain('integer: "\\u001b[31m"')
  })
})
