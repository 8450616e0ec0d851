import type { ClientBase, PoolClient } from 'pg'
import type { Database } from '../../server/database/pool.ts'

/** One step of a plan, as EXPLAIN writes it in JSON, as far as we look at it. */
export interface Step {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Step[]
}

/** A statement that was run, with what it did. */
export interface Explained {
  readonly text: string
  readonly plan: Step
  /** Whether it was compiled before it was run (JIT). */
  readonly compiled: boolean
}

const PLAN = /plan:\n(\{.*\})$/s

/**
 * What has to be run so that every connection to a database tells how its statements were carried out, and compiles all
 * that it may where PostgreSQL can compile. Needs a role that may load libraries.
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
    jit: 'on',
    jit_above_cost: '0',
  }
  const change = `alter database ${rows[0]?.name} set`
  return Object.entries(settings).map(([name, value]) => `${change} ${name} = ${value}`)
}

/** Collects the plans of every statement that goes through a pool, and of those inside functions. */
export function collectPlans(database: Database): Explained[] {
  const explained: Explained[] = []
  const known = new WeakSet<PoolClient>()
  database.on('acquire', client => {
    if (known.has(client)) return
    known.add(client)
    client.on('notice', ({ message = '' }) => {
      const [, json] = PLAN.exec(message) ?? []
      if (!json) return
      const { 'Query Text': text, Plan: plan, JIT: compiling } = JSON.parse(json)
      explained.push({ text: text.replace(/\s+/g, ' ').trim(), plan, compiled: compiling !== undefined })
    })
  })
  return explained
}

/** Pages that a statement has touched, all its functions included. */
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

/** What each statement did, by its text; functions that only call others are looked at inside. */
export type Plans = Map<string, Explained>

/** What each statement did at most: some who ask have played much more than others. */
export function mostOf(explained: readonly Explained[]): Plans {
  const plans: Plans = new Map()
  for (const statement of explained) {
    const most = plans.get(statement.text)
    if (!most || pagesOf(most) < pagesOf(statement)) plans.set(statement.text, statement)
  }
  return plans
}

/**
 * Keeps what each statement did where it touched least. Pages of PostgreSQL's own catalogs count as well, and a connection
 * reads them when it is new, and anew whenever another test or a vacuum has made its caches void: the first claim of a
 * connection touches 168 pages, the next one 11. What comes with the history comes in every pass.
 */
export function keepLeast(plans: Plans, pass: Plans): void {
  for (const [text, statement] of pass) {
    const least = plans.get(text)
    if (!least || pagesOf(statement) < pagesOf(least)) plans.set(text, statement)
  }
}
