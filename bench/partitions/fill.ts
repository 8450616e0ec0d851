import { inDatabase } from '../../server/database/address.ts'
import { migrate } from '../../server/database/migrate.ts'
import type { Connection } from '../../server/database/pool.ts'
import { withClient } from '../../tests/support/connect.ts'
import type { Layout } from './layouts.ts'
import type { Past } from './past.ts'

/** Makes the database of a layout and fills it; what is made in one transaction need not go through the log. */
export async function fill(server: Connection, layout: Layout, past: Past): Promise<void> {
  await withClient(server, client => client.query(`create database ${layout.name}`))
  await withClient(inDatabase(server, layout.name), async client => {
    await migrate(client)
    const began = performance.now()
    const step = async (what: string, text: string) => {
      await client.query(text)
      console.log(`  ${layout.name}: ${what} after ${((performance.now() - began) / 1_000).toFixed(0)} s`)
    }
    await step('tables', `begin; ${await layout.prepare(past)}`)
    await step('attempts', past.fillAttempts())
    await step('indexes', layout.index())
    await step('the rest', past.fillRest(layout.prizeColumns))
    await step(
      'committed',
      `create table attempts_sums (month timestamptz primary key, attempts bigint not null, taps bigint not null); commit`,
    )
    await step('vacuumed', 'vacuum analyze')
    // The database is stopped now, and has a few seconds for it.
    await step('on the disk', 'checkpoint')
  })
}
