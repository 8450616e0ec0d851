import type { ClientBase, PoolClient } from 'pg'
import type { Database } from '../../server/database/pool.ts'

/** The part that we read of one step of a plan, as EXPLAIN writes it in JSON. */
export interface Step {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Step[]
}

/** A statement that was run, with its plan. */
export interface Explained {
  readonly text: string
  readonly plan: Step
}

const PLAN = /plan:\n(\{.*\})$/s

/**
 * The statements that make every connection to a database report the plans of its statements. Needs a role that may load
 * libraries.
 */
export async function explaining(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  const settings = {
    session_preload_libraries: `'auto_explain'`,
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  }
  const change = `alter database ${rows[0]?.name} set`
  return Object.entries(settings).map(([name, value]) => `${change} ${name} = ${value}`)
}

/** Collects the plans of all statements that go through a pool, including those inside functions. */
export function collectPlans(database: Database): Explained[] {
  const explained: Explained[] = []
  const known = new WeakSet<PoolClient>()
  database.on('acquire', client => {
    if (known.has(client)) return
    known.add(client)
    client.on('notice', ({ message = '' }) => {
      const [, json] = PLAN.exec(message) ?? []
      if (!json) return
      const { 'Query Text': text, Plan: plan } = JSON.parse(json)
      explained.push({ text: text.replace(/\s+/g, ' ').trim(), plan })
    })
  })
  return explained
}

/** The pages that a statement has touched, including its functions. */
export function pagesOf({ plan }: Explained): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

/** Every step of a plan. */
export function stepsOf(plan: Step): Step[] {
  return [plan, ...(plan.Plans ?? []).flatMap(stepsOf)]
}

export function touchesTables({ plan }: Explained): boolean {
  return stepsOf(plan).some(step => step['Relation Name'] !== undefined)
}

/** The plan of each statement, by its text; functions that only call others are looked at inside. */
export type Plans = Map<string, Explained>

/** The plan of each statement that touched most: some callers have played much more than others. */
export function mostOf(explained: readonly Explained[]): Plans {
  const plans: Plans = new Map()
  for (const statement of explained) {
    const most = plans.get(statement.text)
    if (!most || pagesOf(most) < pagesOf(statement)) plans.set(statement.text, statement)
  }
  return plans
}

/**
 * Keeps the plan of each statement that touched least. Pages of PostgreSQL's own catalogs count as well, and a connection
 * reads them when it is new, and again when another test or a vacuum has invalidated its caches: the first claim of a
 * connection touches 168 pages, the next one 11. Pages that come with the history come in every pass.
 */
export function keepLeast(plans: Plans, pass: Plans): void {
  for (const [text, statement] of pass) {
    const least = plans.get(text)
    if (!least || pagesOf(statement) < pagesOf(least)) plans.set(text, statement)
  }
}
