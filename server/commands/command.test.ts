import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { everything, openPlaces } from '../../tests/support/backups.ts'
import { Client } from '../../tests/support/client.ts'
import { type Outcome as Ran, runBuilt, toUrl } from '../../tests/support/command.ts'
import { withClient } from '../../tests/support/connect.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { endNodes, ServerNode } from '../../tests/support/node.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openWorld } from '../../tests/support/world.ts'
import { openBackup } from '../database/backup.ts'
import { migrate } from '../database/migrate.ts'
import { rowsOf, TABLES } from '../database/tables.ts'

const world = openWorld()
const paths = openPlaces()
afterAll(endNodes)

const PASSWORD = 'correct horse battery'
/** Real processes on a busy machine. */
const TIMEOUT_MS = 120_000

const PATIENTLY = { interval: 1, timeout: 30_000 }

const namesBeside = (folder: string) => readdir(dirname(folder))

/** The settings of a command on the database of this file, or on another one. */
const external = (connection = world.database.connection) => ({
  DATABASE_URL: toUrl(connection),
  SECRET: TEST_SECRET,
})

/** Exit code 1, one line on standard error, and that line. */
function complaint({ code, stderr }: Ran): string {
  expect(stderr).toMatch(/^[^\n]+\n$/)
  expect(code).toBe(1)
  return stderr.trim()
}

/** Exit code 2, why in the first line on standard error and how the command is called in the others. */
function misuse({ code, stdout, stderr }: Ran): string {
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  const [reason = '', usage] = stderr.split('\n')
  expect(usage).toMatch(/^Usage: npm run /)
  return reason
}

describe('every command', { timeout: TIMEOUT_MS }, () => {
  test.each(['backup', 'doctor', 'ledger', 'players', 'restore'])(
    '%s says how it is called, and does nothing when it is called otherwise',
    async name => {
      // Nothing could be done with it: whatever is tried fails.
      const untouched = { DATA_DIR: paths.newFolder(), PORT: 'x', INIT_CWD: paths.newFolder() }
      for (const args of [['--help'], ['--', 'one', '-h', '--fast']]) {
        const help = await runBuilt(name, args, untouched)
        expect(help).toMatchObject({ code: 0, stderr: '' })
        expect(help.stdout).toMatch(new RegExp(`^Usage: npm run ${name}\\b.*\n {11}[A-Z].*\\.\n`))
      }
      expect(misuse(await runBuilt(name, ['--fast'], untouched))).toBe("Unknown option '--fast'")
      for (const folder of [untouched.DATA_DIR, untouched.INIT_CWD]) {
        await expect(readdir(folder)).rejects.toThrow('ENOENT')
      }
    },
  )

  test.each(['backup', 'restore'])('%s takes no option for a folder', async name => {
    const untouched = { DATA_DIR: paths.newFolder(), INIT_CWD: paths.newFolder() }
    const reason = misuse(await runBuilt(name, ['--', '--', '--help'], untouched))
    expect(reason).toBe('--help is no option; a folder of this name is ./--help')
    await expect(readdir(untouched.DATA_DIR)).rejects.toThrow('ENOENT')
  })
})

describe('npm run ledger', { timeout: TIMEOUT_MS }, () => {
  test('prints both sides and succeeds while they are equal, fails and names who is off when not', async () => {
    const client = world.newcomer()
    const { body } = await client.createAccount('Corrupted', PASSWORD)
    await client.play(body.round, 0)
    await client.post('/api/claim')
    const sound = await runBuilt('ledger', [], external())
    expect(sound).toMatchObject({ code: 0, stderr: '' })
    expect(sound.stdout).toContain('Added by attempts: 1 TAPS')
    expect(sound.stdout).toContain('Both sides are equal.')
    const { code, stdout } = await runBuilt('ledger', ['--json'], external())
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, sound: true, added: 1, strayHolds: [] })

    await world.sql("update users set taps_balance = 3 where username = 'Corrupted'")
    const off = await runBuilt('ledger', [], external())
    await world.sql("update users set taps_balance = 1 where username = 'Corrupted'")
    expect(off.code).toBe(1)
    expect(off.stdout).toContain('The sides differ by 2 TAPS.')
    expect(off.stdout).toContain(
      `Account ${body.user.id} (Corrupted) has a balance of 3, but has claimed 1 TAPS.`,
    )
  })

  test('says in one line that there is no game, no database or no sense in a setting', async () => {
    const empty = await paths.emptyDatabase()
    expect(complaint(await runBuilt('ledger', [], external(empty)))).toMatch(/^There is no game/)
    const untouched = { DATA_DIR: paths.newFolder() }
    expect(complaint(await runBuilt('ledger', [], untouched))).toMatch(/^There is no game/)
    await expect(readdir(untouched.DATA_DIR)).rejects.toThrow('ENOENT')
    const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/taps', SECRET: TEST_SECRET }
    expect(complaint(await runBuilt('ledger', [], nowhere))).toMatch(/^The database cannot be reached/)
    const unknown = external({ ...world.database.connection, database: 'taps_of_nobody' })
    expect(complaint(await runBuilt('ledger', [], unknown))).toMatch(/^The database refused us .*: create it/)
    expect(complaint(await runBuilt('ledger', [], { PORT: 'x' }))).toMatch(/^PORT is "x"/)
  })
})

describe('npm run players', { timeout: TIMEOUT_MS }, () => {
  test('resets, renames and hides while the server is up, and whoever watches sees it at once', async () => {
    const client = world.newcomer()
    const { body } = await client.createAccount('Repaired', PASSWORD)
    await client.play(body.round, 500)
    const viewer = await Viewer.open(world.game.url)
    const seen = () => JSON.stringify([viewer.latest('leaderboard'), viewer.latest('attempts')])
    await vi.waitFor(() => expect(seen()).toContain('Repaired'), PATIENTLY)

    const reset = await runBuilt('players', ['reset-password', 'Repaired'], external())
    expect(reset).toMatchObject({ code: 0, stderr: '' })
    const [, password = ''] = / is now (\S+)$/m.exec(reset.stdout) ?? []
    expect((await client.session()).user).toBeNull()
    expect((await client.login('Repaired', password)).status).toBe(200)

    expect(await runBuilt('players', ['rename', 'Repaired', 'As Good As New'], external())).toMatchObject({
      code: 0,
    })
    await vi.waitFor(() => expect(seen()).toContain('As Good As New'), PATIENTLY)
    expect(await runBuilt('players', ['hide', 'as good as new'], external())).toMatchObject({ code: 0 })
    await vi.waitFor(() => expect(seen()).not.toContain('As Good As New'), PATIENTLY)
    await viewer.close()

    const nobody = await runBuilt('players', ['rename', 'Repaired', 'Another'], external())
    expect(complaint(nobody)).toBe('There is no account called "Repaired"')
  })
})

describe('npm run backup and npm run restore', { timeout: TIMEOUT_MS }, () => {
  test('work on the embedded database while a server is up and while none is', async () => {
    const dataDir = paths.newFolder()
    const server = await ServerNode.start({ DATA_DIR: dataDir })
    const client = new Client(server.url)
    const { body } = await client.createAccount('Moved House', PASSWORD)
    await client.play(body.round, 0)
    await client.post('/api/claim')
    const before = await client.session()

    const warm = paths.newFolder()
    expect(await runBuilt('backup', [warm], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: '' })
    const running = await runBuilt('restore', [warm], { DATA_DIR: dataDir })
    expect(complaint(running)).toMatch(/^There is a game in this database already/)
    expect((await client.session()).user).toEqual(before.user)
    await server.end('SIGTERM')
    const cold = paths.newFolder()
    expect(await runBuilt('backup', [cold], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: '' })
    const { code, stdout } = await runBuilt('backup', ['--verify', cold, '--json'], { DATA_DIR: dataDir })
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, folder: cold, sound: true, added: 1 })

    for (const folder of [warm, cold]) {
      const elsewhere = paths.newFolder()
      const restored = await runBuilt('restore', [folder], { DATA_DIR: elsewhere })
      expect(restored).toMatchObject({ code: 0, stderr: '' })
      expect(restored.stdout).toMatch(/Both sides are equal\.\nThe game of .* is restored\.\n$/)
      const moved = await ServerNode.start({ DATA_DIR: elsewhere })
      expect(await client.copy(moved.url).session()).toEqual(before)
      await moved.end('SIGTERM')
    }
  })

  test('leave nothing that looks whole when they are killed', async () => {
    const many = await paths.emptyDatabase()
    await withClient(many, async client => {
      await migrate(client)
      await client.query(`
        insert into attempts (player, round, username, target_time, actual_time, difference)
        select gen_random_uuid(), 1, 'One of many', 2, 2.5, 0.5 from generate_series(1, 100000)`)
    })
    const folder = paths.newFolder()
    const killer = new AbortController()
    const killed = runBuilt('backup', [folder], external(many), killer.signal)
    await vi.waitFor(async () => expect((await namesBeside(folder)).join()).toMatch(/unfinished/), PATIENTLY)
    killer.abort()
    await killed
    // On a stalled machine it may have been finished before the signal came, and is whole then.
    if ((await namesBeside(folder)).includes(basename(folder))) await openBackup(folder)
    else await expect(openBackup(folder)).rejects.toThrow(/is not a whole backup/)
  })

  test('ask for the same SECRET with DATABASE_URL, because cookies and passwords need it', async () => {
    const folder = paths.newFolder()
    const before = await everything(world.database.connection)
    expect(await runBuilt('backup', [folder], external())).toMatchObject({ code: 0 })
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe(`${TEST_SECRET}\n`)
    const empty = await paths.emptyDatabase()
    const wrong = { ...external(empty), SECRET: 'another secret that is long enough, too' }
    expect(complaint(await runBuilt('restore', [folder], wrong))).toMatch(
      /^The secret of this backup is not SECRET/,
    )
    expect(await runBuilt('restore', [folder], external(empty))).toMatchObject({ code: 0 })
    expect(await everything(empty)).toEqual(before)
  })

  test('are noted in the game, unless that can only be read', async () => {
    const folder = paths.newFolder()
    const { stdout } = await runBuilt('backup', [folder], external())
    expect(stdout).not.toContain('noted')
    const noted = () => world.sql("select detail from operator_acts where act = 'backup' order by id desc")
    const before = await noted()
    expect(before[0]).toEqual({ detail: folder })
    const url = new URL(external().DATABASE_URL)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    const readOnly = { ...external(), DATABASE_URL: url.href }
    const unnoted = await runBuilt('backup', [paths.newFolder()], readOnly)
    expect(unnoted).toMatchObject({ code: 0, stdout: expect.stringContaining('could not be noted') })
    expect(await noted()).toEqual(before)
  })

  test('keep as many backups beside each other as they are told, and verify says which are not sound', async () => {
    const place = paths.newFolder()
    await world.sql('update prize_pool set taps = taps + 5')
    await runBuilt('backup', [join(place, 'unsound')], external())
    await world.sql('update prize_pool set taps = taps - 5')
    const unsound = await runBuilt('backup', ['--verify', join(place, 'unsound')], external())
    expect(unsound).toMatchObject({ code: 1, stderr: '' })
    expect(unsound.stdout).toMatch(/The sides differ by 5 TAPS\.\n.* not sound\.\n$/)

    expect(misuse(await runBuilt('backup', [join(place, 'x'), '--keep', '0'], external()))).toMatch(/^--keep/)
    const { stdout } = await runBuilt('backup', [join(place, 'two'), '--keep', '1', '--json'], external())
    expect(JSON.parse(stdout)).toMatchObject({
      folder: join(place, 'two'),
      removed: [join(place, 'unsound')],
    })
    expect(await readdir(place)).toEqual(['two'])
    const nothing = await runBuilt('backup', ['--verify', place], external())
    expect(complaint(nothing)).toMatch(/is not a whole backup/)
  })

  test('refuse to start without a place to read from, before a database is touched', async () => {
    const untouched = { DATA_DIR: paths.newFolder() }
    expect(misuse(await runBuilt('restore', [], untouched))).toMatch(/not called like this/)
    expect(complaint(await runBuilt('restore', ['/nowhere'], untouched))).toMatch(/is not a whole backup/)
    await expect(readFile(join(untouched.DATA_DIR, 'secret'))).rejects.toThrow('ENOENT')
  })

  test('write rows that psql can read, where there is one', async context => {
    const psql = promisify(execFile)
    await psql('psql', ['--version']).catch(() => context.skip('no psql on this machine'))
    const folder = paths.newFolder()
    const before = await everything(world.database.connection)
    await runBuilt('backup', [folder], external())
    const empty = await paths.emptyDatabase()
    await withClient(empty, async client => {
      await migrate(client)
      await client.query(`truncate ${TABLES.join(', ')}`)
    })
    for (const table of TABLES) {
      const load = `gunzip -c "$0/$1.copy.gz" | psql -X -q -v ON_ERROR_STOP=1 -c "copy $3 from stdin" "$2"`
      await psql('sh', ['-c', load, folder, table, toUrl(empty), rowsOf(table)])
    }
    // What numbered files were like is not in a backup; a start notes it.
    await withClient(empty, client => migrate(client))
    const { sequences, ...rows } = before
    expect(await everything(empty)).toMatchObject(rows)
    expect(sequences).toHaveLength(4)
  })
})
