import fc, { type Arbitrary } from 'fast-check'
import { Value } from 'typebox/value'
import { afterAll, expect, it } from 'vitest'
import { ENDPOINTS, type Endpoint } from '../../contract/api.ts'
import { CheckedClient } from '../support/checked-client.ts'
import { SEED, sized } from '../support/size.ts'
import { gameStage } from '../support/stage.ts'

const REQUESTS = sized(25, 1_000)
const PASSWORD = 'a long enough password'
const SENDERS = ['newcomer', 'guest', 'member'] as const
type Sender = (typeof SENDERS)[number]

/** Texts that are known to break programs. */
const troublesome = fc.constantFrom(
  ...['', ' ', '\0', '\r\n', '\u0085', '\u2028', '\u202e', '\ufeff', '\ud800', 'e\u0301', 'ß', 'İ'],
  ...['__proto__', 'constructor', 'null', 'NaN', '-1', '1e999', '[object Object]', "'; drop table users; --"],
  ...['\u001b[31m', '%0d%0aSet-Cookie: a=b', '<script>alert(1)</script>', '👨‍👩‍👧‍👦'],
  ...['ﷺ'.repeat(50), 'a'.repeat(33), 'a'.repeat(1_025)],
)
const text = fc.oneof(troublesome, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
/** Values of any type, some of them just beyond a limit of the contract; undefined leaves a field out. */
const value = fc.oneof(
  text,
  fc.anything({ maxDepth: 2, withNullPrototype: false }),
  fc.constantFrom(undefined, null, true, -0, 0.0005, 2.345, 600.001, 1e21, Number.MAX_SAFE_INTEGER + 1),
)
/** Bodies that no schema describes. */
const anyBody = fc.oneof(
  fc.json(),
  fc.json().map(json => json.slice(0, -1)),
  text,
  fc.constantFrom('[', '{"a":', '{}x', '{"a":1}{"a":2}', '\ufeff{}', '['.repeat(4_000) + ']'.repeat(4_000)),
  fc.string({ minLength: 8_000, maxLength: 9_000 }),
)
const NAMES = 'accept accept-encoding content-encoding content-type origin range sec-fetch-site'.split(' ')
const VALUES = 'application/json text/plain same-origin cross-site gzip * null bytes=0- \u00ff;'.split(' ')
const headers = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES), {
  maxKeys: 3,
  noNullPrototype: true,
})

const fieldsOf = ({ body }: Endpoint) =>
  Object.keys((body as { properties?: object } | undefined)?.properties ?? {})

/** Changes to a valid body: other values, missing fields and fields that the contract does not know. */
function changesTo(endpoint: Endpoint): Arbitrary<Record<string, unknown>> {
  const names = [...fieldsOf(endpoint), '__proto__', 'constructor', 'taps_balance', '']
  return fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 2, noNullPrototype: true })
}

const stage = gameStage(1)
let created = 0
let members = 0

/** Makes a client with the values of a valid body. */
async function makeSender(sender: Sender) {
  const client = new CheckedClient(stage.url())
  const username = `Member ${++members}`
  if (sender === 'member') await client.createAccount(username, PASSWORD)
  const { round } = await client.session()
  const start = (await client.start(round)).start
  const own = { round: round.token, start, username, actual_time: round.target_time, password: PASSWORD }
  return {
    client: sender === 'newcomer' ? new CheckedClient(stage.url()) : client,
    own: { ...own, new_password: PASSWORD },
  }
}

it.each(
  Object.values<Endpoint>(ENDPOINTS).map(endpoint => [endpoint.method, endpoint.url, endpoint] as const),
)('answers any request to %s %s as the contract allows', async (method, url, endpoint) => {
  const property = fc.asyncProperty(
    fc.constantFrom(...SENDERS),
    fc.option(anyBody, { freq: 3 }),
    changesTo(endpoint),
    headers,
    async (sender, other, changes, headers) => {
      const { client, own } = await makeSender(sender)
      const valid = Object.entries(own).filter(([name]) => fieldsOf(endpoint).includes(name))
      const body = { ...Object.fromEntries(valid), ...changes }
      const request =
        method === 'GET' ? { headers } : { method, headers, text: other ?? JSON.stringify(body) }
      // Throws for every answer outside the contract, such as a 500.
      const { status } = await client.send(url, request)
      if (status === 201) created += 1
      if (other === null && !isValid(endpoint, body)) expect(status).toBeGreaterThanOrEqual(400)
    },
  )
  // A failure prints the seed and the smallest failing request.
  await fc.assert(property, { numRuns: REQUESTS, seed: SEED })
})

/** Checks a body as it arrives, because JSON drops or changes some values. */
function isValid({ body }: Endpoint, sent: object): boolean {
  return !body || Value.Check(body, JSON.parse(JSON.stringify(sent)))
}

afterAll(async () => {
  expect(await stage.auditor.contradictions()).toEqual([])
  expect(created).toBeGreaterThan(0)
})
