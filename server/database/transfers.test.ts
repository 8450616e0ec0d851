import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { expect, test } from 'vitest'
import { openPlaces } from '../../tests/support/backups.ts'
import { withClient } from '../../tests/support/connect.ts'
import { checkLedger } from '../game/ledger.ts'
import { migrate, upgrade } from './migrate.ts'

const paths = openPlaces()
const [OWNER, OTHER, GUEST, LATE, STRANGER] = [1, 2, 3, 4, 5].map(
  number => `0000000${number}-0000-4000-8000-000000000000`,
)

/** Prizes as the first release kept them: who won, for whom it is held, and what has become of it. */
const PRIZES = [
  { winner: OWNER, holder: OWNER, claimedBy: 1, returned: false, state: 'claimed' },
  { winner: GUEST, holder: GUEST, claimedBy: null, returned: true, state: 'returned' },
  { winner: GUEST, holder: OWNER, claimedBy: 1, returned: false, state: 'claimed' },
  { winner: GUEST, holder: OTHER, claimedBy: null, returned: false, state: 'held' },
  { winner: OTHER, holder: OTHER, claimedBy: 2, returned: false, state: 'claimed' },
  { winner: STRANGER, holder: STRANGER, claimedBy: null, returned: true, state: 'returned' },
  { winner: OWNER, holder: OWNER, claimedBy: null, returned: false, state: 'held' },
  { winner: LATE, holder: LATE, claimedBy: null, returned: false, state: 'held' },
] as const

async function makeFirstRelease(client: ClientBase): Promise<void> {
  const folder = paths.newFolder()
  const only = (suffix: string) => ({ recursive: true, filter: (path: string) => !path.endsWith(suffix) })
  const folders = { migrations: join(folder, 'migrations'), acts: join(folder, 'acts') }
  await cp('migrations', folders.migrations, only('0002_transfers.sql'))
  await cp('acts', folders.acts, only('.sql'))
  await upgrade(client, folders)
  await client.query(
    `insert into users (username, username_key, password_hash, player, taps_balance)
    values ('Owner', 'owner', '', $1, 2), ('Other', 'other', '', $2, 1)`,
    [OWNER, OTHER],
  )
  for (const [place, { winner, holder, claimedBy, returned, state }] of PRIZES.entries()) {
    await client.query(
      `with won as (
        insert into attempts (player, round, username, target_time, actual_time, difference, claimed)
        values ($1, $2, 'Somebody', 2, 2, 0, $5) returning id
      )
      insert into prizes (attempt_id, taps, holder, claimed_by, claimed_at, returned_at)
      select id, 1, $3, $4, case when $5 then now() end, case when $6 then now() end from won`,
      [winner, place + 1, holder, claimedBy, state === 'claimed', returned],
    )
  }
  await client.query(
    `insert into holds (player, taps) select holder, count(*) from prizes
    where claimed_at is null and returned_at is null group by holder`,
  )
  await client.query(
    'update prize_pool set taps = (select count(*) from prizes where returned_at is not null)',
  )
}

test('a game of the first release keeps what has become of each prize, and its ledger', async () => {
  const connection = await paths.emptyDatabase()
  await withClient(connection, async client => {
    await makeFirstRelease(client)
    await migrate(client)
    const { rows } = await client.query(
      `select player as winner, holder, account::integer as "claimedBy", state
      from prizes join attempts on id = attempt_id cross join prize_state(id, player) order by id`,
    )
    expect(rows).toEqual(PRIZES.map(({ returned: _, ...prize }) => prize))
    expect(await checkLedger(client)).toMatchObject({ sound: true })
    const { rows: accounts } = await client.query('select is_account($1) as owner, is_account($2) as guest', [
      OWNER,
      GUEST,
    ])
    expect(accounts).toEqual([{ owner: true, guest: false }])
  })
})
