import fc, { type Arbitrary } from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { ENDPOINTS, type Endpoint } from '../../contract/api.ts'
import { CheckedClient } from '../support/checked-client.ts'
import type { ClientRequest } from '../support/client.ts'
import { SEED, sized } from '../support/size.ts'
import { gameStage } from '../support/stage.ts'

const REQUESTS = sized(25, 1_000)
const PASSWORD = 'a long enough password'
const SENDERS = ['newcomer', 'guest', 'member'] as const
type Sender = (typeof SENDERS)[number]

/** The parts of a JSON schema from which bodies are generated. */
interface BodySchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, BodySchema>>
  readonly required?: readonly string[]
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** Texts that are known to break programs. */
const troublesome = fc.constantFrom(
  ...['', ' ', '\0', '\r\n', '\u0085', '\u2028', '\u202e', '\ufeff', '\ud800', 'e\u0301', 'ß', 'İ'],
  ...['__proto__', 'constructor', 'null', 'NaN', '-1', '1e999', '[object Object]', "'; drop table users; --"],
  ...['\u001b[31m', '%0d%0aSet-Cookie: a=b', '<script>alert(1)</script>', '👨‍👩‍👧‍👦'],
  ...['ﷺ'.repeat(50), 'a'.repeat(33), 'a'.repeat(1_025)],
)
const text = fc.oneof(troublesome, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
/** Values outside most schemas, some of them just beyond a limit. */
const invalid = fc.oneof(
  troublesome,
  fc.anything({ maxDepth: 2, withNullPrototype: false }),
  fc.constantFrom<unknown>(null, true, [], {}, -0, 0.0005, 600.001, 1e21, Number.MAX_SAFE_INTEGER + 1),
)
/** Bodies that no schema describes. */
const anyBody = fc.oneof(
  fc.json(),
  fc.json().map(json => json.slice(0, -1)),
  text,
  fc.constantFrom('[', '{"a":', '{}x', '{"a":1}{"a":2}', '\ufeff{}', '['.repeat(4_000) + ']'.repeat(4_000)),
  fc.string({ minLength: 8_000, maxLength: 9_000 }),
)
const headers = fc.dictionary(
  fc.constantFrom(
    ...['accept', 'accept-encoding', 'content-encoding', 'content-type', 'origin', 'range', 'sec-fetch-site'],
  ),
  fc.constantFrom(
    ...[
      'application/json',
      'text/plain',
      'same-origin',
      'cross-site',
      'gzip',
      '*',
      'null',
      'bytes=0-',
      '\u00ff;',
    ],
  ),
  { maxKeys: 3, noNullPrototype: true },
)

function valid(schema: BodySchema): Arbitrary<unknown> {
  const { type, properties = {}, required = [], minimum = 0, maximum = 1_000, maxLength = 1_000 } = schema
  if (type === 'string') return text.filter(value => value.length <= maxLength)
  if (type === 'number')
    return fc.integer({ min: minimum * 1_000, max: maximum * 1_000 }).map(ms => ms / 1_000)
  const fields = Object.entries(properties).map(([name, field]) => [name, valid(field)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] })
}

/** Generates a valid body with one mistake: a wrong type, a missing field, or an extra field. */
function nearlyValid(schema: BodySchema): Arbitrary<unknown> {
  const names = [...Object.keys(schema.properties ?? {}), '__proto__', 'constructor', 'taps_balance', '']
  const change = fc.record({ name: fc.constantFrom(...names), value: fc.option(invalid, { nil: undefined }) })
  return fc.tuple(valid(schema), change).map(([body, { name, value }]) => {
    const entries = Object.entries(body as object).filter(([other]) => other !== name)
    return Object.fromEntries(value === undefined ? entries : [...entries, [name, value]])
  })
}

function requestsTo({ method, body }: Endpoint): Arbitrary<ClientRequest> {
  if (method === 'GET') return fc.record({ headers })
  const asText = (value: unknown) => JSON.stringify(value) ?? ''
  const bodies = body
    ? [valid(body as BodySchema).map(asText), nearlyValid(body as BodySchema).map(asText), anyBody]
    : [anyBody]
  return fc.record({ text: fc.oneof(...bodies), headers }).map(request => ({ ...request, method }))
}

const stage = gameStage(1)
let created = 0
let members = 0

async function makeSender(sender: Sender) {
  const client = new CheckedClient(stage.url())
  if (sender === 'newcomer') return { client, own: {} }
  const username = `Member ${++members}`
  if (sender === 'member') await client.createAccount(username, PASSWORD)
  const { round } = await client.session()
  return {
    client,
    own: { round: round.token, start: await client.start(round), username, password: PASSWORD },
  }
}

/** Replaces some values with the sender's own values, so that the request passes the first checks. */
function withOwn(
  { text = '', ...request }: ClientRequest,
  own: object,
  names: readonly string[],
): ClientRequest {
  try {
    const body = JSON.parse(text)
    const replaced = Object.entries(own).filter(([name]) => names.includes(name) && Object.hasOwn(body, name))
    return { ...request, text: JSON.stringify({ ...body, ...Object.fromEntries(replaced) }) }
  } catch {
    return { ...request, text }
  }
}

it.each(
  Object.values<Endpoint>(ENDPOINTS).map(endpoint => [endpoint.method, endpoint.url, endpoint] as const),
)('answers any request to %s %s as the contract allows', async (_method, _url, endpoint) => {
  const names = fc.subarray(['round', 'start', 'username', 'password'])
  const property = fc.asyncProperty(
    fc.constantFrom(...SENDERS),
    names,
    requestsTo(endpoint),
    async (sender, replaced, request) => {
      const { client, own } = await makeSender(sender)
      // Throws for every answer outside the contract, such as a 500.
      const { status } = await client.send(
        endpoint.url,
        endpoint.method === 'GET' ? request : withOwn(request, own, replaced),
      )
      if (status === 201) created += 1
    },
  )
  // A failure prints the seed and the smallest failing request.
  await fc.assert(property, { numRuns: REQUESTS, seed: SEED })
})

afterAll(async () => {
  expect(await stage.auditor.contradictions()).toEqual([])
  expect(created).toBeGreaterThan(0)
})
