import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { expect, test } from 'vitest'
import { withClient } from '../../tests/support/connect.ts'
import { openWorld } from '../../tests/support/world.ts'
import { RELEASE } from './migrate.ts'

const FUNCTIONS = 'sql/functions'

const world = openWorld()

/** Catalog queries that give the same lines in PostgreSQL 15 to 18. */
const QUERIES: Readonly<Record<string, string>> = {
  tables: `
    select format('%s.%s %s%s%s%s', class.relname, attname, format_type(atttypid, atttypmod),
      case when attnotnull then ' not null' end,
      case attidentity when 'a' then ' identity' when 'd' then ' identity by default' end,
      case when attgenerated <> '' then ' generated as ' || pg_get_expr(adbin, adrelid)
        when adbin is not null then ' default ' || pg_get_expr(adbin, adrelid) end
    ) as line
    from pg_class as class
    join pg_attribute on attrelid = class.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = class.oid and adnum = attnum
    where relkind = 'r' and relnamespace = 'public'::regnamespace
    order by class.relname, attnum`,
  options: `
    select format('%s %s', relname, array_to_string(reloptions, ', ')) as line
    from pg_class where relnamespace = 'public'::regnamespace and reloptions is not null
    order by 1`,
  // Omits "not null", which is a constraint since PostgreSQL 18; the columns above show it.
  constraints: `
    select format('%s %s: %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' and conrelid <> 0
    order by conrelid::regclass::text, conname`,
  indexes: `
    select indexdef as line from pg_indexes where schemaname = 'public' order by indexname`,
  views: `
    select format('%s, body %s', viewname, md5(definition)) as line
    from pg_views where schemaname = 'public' order by viewname`,
  functions: `
    select format('%s(%s) returns %s, %s %s, body %s',
      proname, pg_get_function_identity_arguments(pg_proc.oid), pg_get_function_result(pg_proc.oid),
      lanname, case provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
      md5(prosrc)
    ) as line
    from pg_proc join pg_language on pg_language.oid = prolang
    where pronamespace = 'public'::regnamespace
    order by 1`,
}

/** Describes the whole schema as text, so that one diff shows every effect of a change. */
async function describeSchema(client: ClientBase): Promise<string> {
  const parts: string[] = []
  for (const [heading, query] of Object.entries(QUERIES)) {
    const { rows } = await client.query<{ line: string }>(query)
    parts.push(`${heading}\n${rows.map(({ line }) => `  ${line}\n`).join('')}`)
  }
  return parts.join('\n')
}

/** Run `npm test -- unit server/database/schema.test.ts -u` to update schema.txt. */
test('has the schema that schema.txt describes', async () => {
  const schema = await withClient(world.database.connection, describeSchema)
  await expect(schema).toMatchFileSnapshot('schema.txt')
})

test('has a new RELEASE when a function has changed (raise RELEASE and update the checksum here)', async () => {
  const files = (await readdir(FUNCTIONS)).filter(file => file.endsWith('.sql')).sort()
  const sum = createHash('sha256')
  for (const file of files) sum.update(await readFile(join(FUNCTIONS, file)))
  expect([RELEASE, sum.digest('hex')]).toEqual([
    8,
    '8f6d438a474038be352f3150b82a95f08e2259f4b1bb0a90d179d66a72bfc3ba',
  ])
})

test('the newest upgrade notes say whether nodes of the release before may keep running', async () => {
  const [, newest = ''] = (await readFile('CHANGELOG.md', 'utf8')).split(/^## /m)
  expect(newest.replaceAll(/\s+/g, ' ')).toMatch(/Restart all nodes together|may run beside this release/)
})
