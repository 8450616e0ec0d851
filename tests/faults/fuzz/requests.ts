import fc, { type Arbitrary } from 'fast-check'
import type { ClientRequest } from '../../support/client.ts'
import { ROLES, type Role } from './cast.ts'
import type { BodySchema, Operation } from './document.ts'

/** A request and who sends it. */
export interface Shot {
  readonly role: Role
  readonly request: ClientRequest
  /** The names of properties whose values are the sender's own, when that is so far. */
  readonly own: readonly string[]
}

/** Properties that a sender has real values for. */
const OWN = ['round', 'start', 'username', 'password']

/** Texts that have been trouble somewhere. */
const trouble = fc.oneof(
  fc.constantFrom('', ' ', '\0', '\r\n', '\u0085', '\u2028', '\u202e', '\ufeff', '\ud800', 'e\u0301'),
  fc.constantFrom('__proto__', 'constructor', 'null', 'NaN', 'true', '-1', '1e999', '[object Object]'),
  fc.constantFrom("'; drop table users; --", '%0d%0aSet-Cookie: a=b', '<script>alert(1)</script>'),
  fc.constantFrom('\u001b[31m', '👨‍👩‍👧‍👦', 'ﷺ'.repeat(50), 'ß', 'İ', 'a'.repeat(33), 'a'.repeat(1_025)),
)
const text = fc.oneof(trouble, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))

function valid(schema: BodySchema): Arbitrary<unknown> {
  const { type, properties = {}, required = [], maxLength = 1_000 } = schema
  if (type === 'object') {
    const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valid(field)]))
    return fc.record(fields, { requiredKeys: [...required] })
  }
  if (type === 'number' || type === 'integer') {
    const { minimum = -1_000, maximum = 1_000, multipleOf = 1 } = schema
    const steps = { min: Math.ceil(minimum / multipleOf), max: Math.floor(maximum / multipleOf) }
    return fc.integer(steps).map(step => Number((step * multipleOf).toFixed(3)))
  }
  if (type === 'string') return text.filter(value => value.length <= maxLength)
  throw new Error(`No values are known for the schema ${JSON.stringify(schema)}`)
}

/** A value that its schema does not allow, or only just. */
const off = fc.oneof(
  trouble,
  fc.anything({ maxDepth: 2, withNullPrototype: false }),
  fc.double(),
  fc.constantFrom<unknown>(null, true, [], {}, -0, 0.0005, 600.001, 1e21, Number.MAX_SAFE_INTEGER + 1),
)

/** A valid body with one thing off: a field of another kind, one too few, one too many. */
function nearlyValid(schema: BodySchema): Arbitrary<unknown> {
  const names = [...Object.keys(schema.properties ?? {}), '__proto__', 'constructor', 'taps_balance', '']
  const change = fc.record({ name: fc.constantFrom(...names), value: fc.option(off, { nil: undefined }) })
  return fc.tuple(valid(schema), change).map(([body, { name, value }]) => {
    const entries = Object.entries(body as object).filter(([other]) => other !== name)
    return Object.fromEntries(value === undefined ? entries : [...entries, [name, value]])
  })
}

const wildBody = fc.oneof(
  fc.json(),
  fc.json().map(json => json.slice(0, -1)),
  text,
  fc.constantFrom('[', '{"a":', '{}x', '{"a":1}{"a":2}', '\ufeff{}', '['.repeat(4_000) + ']'.repeat(4_000)),
  fc.string({ minLength: 8_000, maxLength: 9_000 }),
)

const headers = fc.dictionary(
  fc.oneof(
    fc.constantFrom('accept', 'accept-encoding', 'content-encoding', 'content-type', 'cookie', 'origin'),
    fc.constantFrom('range', 'sec-fetch-site', 'x-forwarded-for', 'x-http-method-override', 'if-none-match'),
  ),
  fc.oneof(
    // What undici lets into a header: visible characters of Latin 1 and spaces between them.
    fc.string({ unit: fc.constantFrom(...' !"#;,=/:@[]{}~\u00a0\u00ffaZ0') }).map(value => value.trim()),
    fc.constantFrom('application/json', 'text/plain', 'multipart/form-data', 'same-origin', 'cross-site'),
    fc.constantFrom('gzip', 'identity', '*', 'null', 'bytes=0-'),
  ),
  { maxKeys: 4, noNullPrototype: true },
)

const role = fc.constantFrom(...ROLES)
const asJson = (body: unknown): ClientRequest => ({ text: JSON.stringify(body) ?? '' })

/** Everything that may be sent to an operation: valid, nearly valid, wild. */
export function shotsAt({ method, body }: Operation): Arbitrary<Shot> {
  const own = fc.oneof(fc.constant(OWN), fc.subarray(OWN))
  const shot = (request: Arbitrary<ClientRequest>) => fc.record({ role, own, request })
  if (method === 'GET') return shot(fc.record({ headers }))
  const kinds: Arbitrary<ClientRequest>[] = [fc.record({ text: wildBody, headers }), fc.constant({})]
  if (body) {
    kinds.push(
      valid(body).map(asJson),
      nearlyValid(body).map(asJson),
      fc.tuple(valid(body), headers).map(([value, more]) => ({ ...asJson(value), headers: more })),
    )
  }
  return shot(fc.oneof(...kinds).map(request => ({ ...request, method })))
}
