import type { ClientBase, PoolClient } from 'pg'
import type { Database } from '../../server/database/connection.ts'

/** The fields of an EXPLAIN step that the tests read. */
export interface Step {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Step[]
}

export interface Explained {
  readonly text: string
  readonly plan: Step
}

const PLAN = /plan:\n(\{.*\})$/s

/** Returns statements that make each connection report its plans. Requires the right to load libraries. */
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

/** Collects the plans of all statements of a pool, including statements inside functions. */
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

export function pagesOf({ plan }: Explained): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

export function stepsOf(plan: Step): Step[] {
  return [plan, ...(plan.Plans ?? []).flatMap(stepsOf)]
}

export function touchesTables({ plan }: Explained): boolean {
  return stepsOf(plan).some(step => step['Relation Name'] !== undefined)
}

/** The plan of each statement, by its text. */
export type Plans = Map<string, Explained>

/**
 * Keeps the plan with the most pages for each statement, because some callers have played more than others.
 */
export function mostOf(explained: readonly Explained[]): Plans {
  const plans: Plans = new Map()
  for (const statement of explained) {
    const most = plans.get(statement.text)
    if (!most || pagesOf(most) < pagesOf(statement)) plans.set(statement.text, statement)
  }
  return plans
}

/**
 * Keeps the plan with the fewest pages for each statement, because cold catalog caches add pages in some
 * passes.
 */
export function keepLeast(plans: Plans, pass: Plans): void {
  for (const [text, statement] of pass) {
    const least = plans.get(text)
    if (!least || pagesOf(statement) < pagesOf(least)) plans.set(text, statement)
  }
}
