import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { toUrl } from '../../tests/support/command.ts'
import { withClient } from '../../tests/support/connect.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { readEnv } from '../env.ts'
import { withTemporaryDatabase } from './temporary-database.ts'

const { connection } = inject('testServer')
const role = `taps_role_${randomUUID().replaceAll('-', '')}`

const settings = (way = connection) => readEnv({ DATABASE_URL: toUrl(way), SECRET: TEST_SECRET })

const sql = (text: string) => withClient(connection, async client => (await client.query(text)).rows)

const isThere = async (name: string) =>
  (await sql(`select from pg_database where datname = '${name}'`)).length === 1

afterAll(() => sql(`drop role if exists ${role}`))

describe('a throw-away database', () => {
  test('is there for the moment, with nothing in it', async () => {
    const name = await withTemporaryDatabase(settings(), async client => {
      const { rows } = await client.query(
        "select current_database() as name, count(*)::int as tables from pg_tables where schemaname = 'public'",
      )
      expect(rows).toEqual([{ name: expect.stringMatching(/^taps_throwaway_/), tables: 0 }])
      expect(await isThere(rows[0].name)).toBe(true)
      return rows[0].name
    })
    expect(await isThere(name)).toBe(false)
  })

  test.each<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGHUP'])(
    'is dropped on %s, and when the work fails',
    async signal => {
      let name = ''
      const interrupted = withTemporaryDatabase(settings(), async client => {
        name = client.database ?? ''
        process.emit(signal)
        await client.query('select pg_sleep(60)')
      })
      await expect(interrupted).rejects.toThrow('Interrupted: what was under way is undone')
      expect(name).toMatch(/^taps_throwaway_/)
      expect(await isThere(name)).toBe(false)
    },
  )

  test('that a kill has left behind is dropped after an hour, but nothing that is in use or named otherwise', async () => {
    const suffix = () => randomUUID().replaceAll('-', '')
    const anHourAgo = Date.now() - 3_600_001
    const [left, young, used, other] = [
      `taps_throwaway_${anHourAgo}_${suffix()}`,
      `taps_throwaway_${Date.now()}_${suffix()}`,
      `taps_throwaway_${anHourAgo}_${suffix()}`,
      `taps_kept_${anHourAgo}_${suffix()}`,
    ]
    for (const name of [left, young, used, other]) await sql(`create database ${name} template template0`)
    await withClient({ ...connection, database: used }, () =>
      withTemporaryDatabase(settings(), async () => undefined),
    )
    expect(await Promise.all([left, young, used, other].map(isThere))).toEqual([false, true, true, true])
    for (const name of [young, used, other]) await sql(`drop database ${name}`)
  })

  test('that the role may not make is refused with what to do', async () => {
    await sql(`create role ${role} login password 'a password'`)
    const lesser = settings({ ...connection, user: role, password: 'a password' })
    await expect(withTemporaryDatabase(lesser, async () => undefined)).rejects.toThrow(
      /ALTER ROLE … CREATEDB/,
    )
  })
})
