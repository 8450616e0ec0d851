import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CALLS } from '../../contract/api.ts'
import { report, SEED, sized } from '../support/size.ts'
import { gameStage } from '../support/stage.ts'
import { Cast } from './fuzz/cast.ts'
import { type Operation, readOperations } from './fuzz/document.ts'
import { type Shot, shotsAt } from './fuzz/requests.ts'

const SHOTS = sized(25, 1_000)

const stage = gameStage(1)
const calls = Object.values(CALLS).map(({ method, url }) => ({ method, url }))
const statuses = new Map<number, number>()

let operations: readonly Operation[] = []
let cast: Cast
beforeAll(async () => {
  operations = await readOperations(stage.url())
  cast = new Cast(stage.url())
})

describe('the OpenAPI document', () => {
  it('has every call of the contract, and no other', () => {
    const described = operations.map(({ method, path }) => `${method} ${path}`)
    expect(described.sort()).toEqual(calls.map(({ method, url }) => `${method} ${url}`).sort())
  })

  it.each(calls)(`holds for whatever is sent to $method $url`, async ({ method, url }) => {
    const operation = operations.find(known => known.method === method && known.path === url)
    if (!operation) throw new Error('It is not described')
    const property = fc.asyncProperty(shotsAt(operation), async shot => {
      expect(await objectionsTo(operation, shot)).toEqual([])
    })
    // A failure prints the seed, and the smallest request that it was found for.
    await fc.assert(property, { numRuns: SHOTS, seed: SEED })
  })
})

/** Fires one shot: what of its answer the document does not allow. */
async function objectionsTo(operation: Operation, { role, own, request }: Shot): Promise<string[]> {
  const client = await cast.client(role)
  const answer = await client.send(operation.path, {
    ...request,
    ...(await personal(role, own, request)),
  })
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  if (answer.status < 300 && operation.method !== 'GET') cast.recast(role)
  return operation.objections(answer)
}

/** The body of a request with some of its values replaced by the sender's real ones. */
async function personal(role: Shot['role'], own: readonly string[], { text = '' }: Shot['request']) {
  const body = objectIn(text)
  if (!body) return {}
  for (const property of own) {
    const value = Object.hasOwn(body, property) ? await cast.own(role, property) : undefined
    if (value !== undefined) body[property] = value
  }
  return { text: JSON.stringify(body) }
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

afterAll(async () => {
  expect(await stage.auditor.unbalanced()).toBeNull()
  expect(await stage.auditor.miscredited()).toEqual([])
  expect(await stage.auditor.contradictions()).toEqual([])
  const answered = Array.from(statuses, ([status, count]) => [`answered ${status}`, count])
  report('fuzz', { operations: operations.length, ...Object.fromEntries(answered.sort()) })
})
