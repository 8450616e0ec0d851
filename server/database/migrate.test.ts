import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLedger } from '../game/ledger.ts'
import { newPlayer } from '../identity/player.ts'
import { openPlaces } from '../testing/backups.ts'
import { Client } from '../testing/client.ts'
import { withClient } from '../testing/connect.ts'
import { startGame } from '../testing/game.ts'
import { migrate } from './migrate.ts'

const paths = openPlaces()
const PASSWORD = 'correct horse battery'

test('what an earlier release held for players is held for them still, and what was due has gone back', async () => {
  const [guest, account, late] = [newPlayer(), newPlayer(), newPlayer()]
  const folder = paths.newFolder()
  await mkdir(folder)
  const earlier = (await readdir('migrations')).filter(file => file < '0006')
  for (const file of earlier) await copyFile(join('migrations', file), join(folder, file))
  await withClient(await paths.emptyDatabase(), async client => {
    await migrate(client, folder)
    await client.query(
      `with won as (
        insert into attempts (player, round, username, target_time, actual_time, difference)
        select player::uuid, round, 'Winner', 1, 1, 0
        from unnest($1::text[], $2::integer[]) as input (player, round)
        returning id, player
      )
      insert into prizes (attempt_id, taps, holder, held_until)
      select id, 1, player, case player
        when $3::uuid then null when $4::uuid then now() - interval '1 second' else '2100-01-01Z' end
      from won`,
      [[guest, guest, account, late], [1, 2, 1, 1], account, late],
    )
    await migrate(client)
    const { rows } = await client.query('select player, taps, held_until from holds order by taps')
    expect(rows).toEqual([
      { player: account, taps: 1, held_until: null },
      { player: guest, taps: 2, held_until: new Date('2100-01-01T00:00:00Z') },
    ])
    expect(await readLedger(client)).toEqual({ added: 4, pool: 1, held: 3, balances: 0 })
  })
})

test('a game of an earlier release keeps all its accounts, also those that look alike, and takes no more of those', async () => {
  const folder = paths.newFolder('before-names')
  await mkdir(folder)
  const earlier = (await readdir('migrations')).filter(file => file < '0007')
  for (const file of earlier) await copyFile(join('migrations', file), join(folder, file))
  const old = await paths.emptyDatabase()
  await withClient(old, async client => {
    await migrate(client, folder)
    await client.query(`
      insert into users (username, username_key, password_hash, player)
      select name, lower(name), 'x', gen_random_uuid()
      from unnest(array['Paypal', 'Раураl', 'PaypaI', 'Otter', 'Plain']) as name`)
    await client.query(
      `insert into users (username, username_key, password_hash, player)
      select 'Many ' || n, 'many ' || n, 'x', gen_random_uuid() from generate_series(2000, 3200) as n`,
    )
    await migrate(client)
    await migrate(client)
    const { rows } = await client.query<{ username: string; twin: boolean }>(
      'select username, twin > 0 as twin from users where id <= 5 order by id',
    )
    expect(rows.map(({ twin }) => twin)).toEqual([false, true, true, false, false])
    expect((await client.query('select from users where skeleton is null')).rowCount).toBe(0)
  })
  const game = await startGame(old)
  const answers = await Promise.all(
    ['РАУРАL', '0tter', 'Many 2500', 'Another'].map(name =>
      new Client(game.url).createAccount(name, PASSWORD),
    ),
  )
  await game.close()
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 201])
})

test('each migration has a number of its own', async () => {
  const numbers = (await readdir('migrations')).map(file => Number.parseInt(file, 10))
  expect(numbers.sort((one, other) => one - other)).toEqual(numbers.map((_, place) => place + 1))
})
