import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLedger } from './ledger.ts'
import { migrate } from './migrate.ts'
import { newPlayer } from './player.ts'
import { openPlaces } from './testing/backups.ts'
import { withClient } from './testing/connect.ts'

const places = openPlaces()

test('what an earlier release held for players is held for them still, and what was due has gone back', async () => {
  const [guest, account, late] = [newPlayer(), newPlayer(), newPlayer()]
  const folder = places.newFolder()
  await mkdir(folder)
  const earlier = (await readdir('migrations')).filter(file => file < '0006')
  for (const file of earlier) await copyFile(join('migrations', file), join(folder, file))
  await withClient(await places.emptyDatabase(), async client => {
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
