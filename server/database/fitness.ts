import type { ClientBase } from 'pg'
import { StartError } from '../lib/start-error.ts'
import { TABLES } from './tables.ts'

/** A major version. */
export const OLDEST_POSTGRES = 15

/** What serving does to the tables; of the numbered files, the acts and the secret it only reads. */
const RIGHTS = ['select', 'insert', 'update', 'delete']
const READ_ONLY_TABLES = ['migrations', 'acts', 'game_secret']
/** Nothing of it is ever changed or taken away. */
const APPENDED_TABLES = ['operator_acts']

/** The database can be read and not written to, such as the standby of another; that may change. */
export class ReadOnly extends Error {
  constructor() {
    super('it is read-only')
    this.name = 'ReadOnly'
  }
}

/**
 * Looks at what a connection leads to.
 *
 * @throws StartError when it is older than the game can use
 * @throws ReadOnly
 */
export async function requireFitness(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: string; writable: boolean }>(
    `select current_setting('server_version') as version,
      not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable`,
  )
  const { version = '', writable = false } = rows[0] ?? {}
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES) {
    throw new StartError(`PostgreSQL ${OLDEST_POSTGRES} or newer is needed; DATABASE_URL is ${version}`)
  }
  if (!writable) throw new ReadOnly()
}

/**
 * Looks whether the role of a connection may do what serving does.
 *
 * @throws StartError that says what it lacks, and how to grant it
 */
export async function requireRights(client: ClientBase): Promise<void> {
  const tables = new Set([...TABLES, ...READ_ONLY_TABLES, ...APPENDED_TABLES])
  const { rows } = await client.query<{ lacks: string }>(
    `with needed (name, rights) as (
      select name, case
        when name = any ($2) then array['select'] when name = any ($3) then array['select', 'insert'] else $4 end
      from unnest($1::text[]) as name
      where to_regclass(name) is not null
    ),
    lacking (name, rights) as (
      select name, string_agg(privilege, ', ' order by place)
      from needed cross join unnest(rights) with ordinality as each (privilege, place)
      where not has_table_privilege(to_regclass(name), privilege)
      group by name
      union all
      select sequence, 'usage, select'
      from needed
      join pg_attribute on attrelid = to_regclass(name) and attidentity <> '' and not attisdropped
      cross join pg_get_serial_sequence(name, attname) as sequence
      where not (has_sequence_privilege(sequence, 'usage') and has_sequence_privilege(sequence, 'select'))
      union all
      select proname, 'execute'
      from acts join pg_proc on proname || '.sql' = file and pronamespace = current_schema()::regnamespace
      where not has_function_privilege(pg_proc.oid, 'execute')
    )
    select rights || ' on ' || string_agg(name, ', ' order by name) as lacks from lacking group by rights order by 1 desc`,
    [[...tables], READ_ONLY_TABLES, APPENDED_TABLES, RIGHTS],
  )
  if (rows.length === 0) return
  const { role, grants } = await grantsFor(client)
  const lacks = rows.map(row => row.lacks).join('; ')
  throw new StartError(
    `The role ${role} of DATABASE_URL lacks ${lacks}. As the owner of the tables: ${grants}`,
  )
}

/** For a role that may not change the tables, or not even see them. */
export async function notTheOwner(client: ClientBase, reason: string): Promise<StartError> {
  const { role, grants } = await grantsFor(client)
  return new StartError(
    `The role ${role} of DATABASE_URL may not bring the tables to this release (${reason}). ` +
      `As their owner: npm run migrate; then: ${grants}`,
  )
}

async function grantsFor(client: ClientBase): Promise<{ role: string; grants: string }> {
  const { rows } = await client.query<{ role: string; schema: string }>(
    `select quote_ident(current_user) as role, quote_ident(coalesce(current_schema(), 'public')) as schema`,
  )
  const { role = '', schema = '' } = rows[0] ?? {}
  const grants = [
    'usage on',
    `${RIGHTS.join(', ')} on all tables in`,
    'usage, select on all sequences in',
    'execute on all functions in',
  ].map(what => `grant ${what} schema ${schema} to ${role}`)
  return { role, grants: grants.join('; ') }
}
