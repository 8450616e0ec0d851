import fc, { type Arbitrary } from 'fast-check'
import type { ClientRequest } from '../../support/client.ts'
import { ROLES, type Role } from './cast.ts'
import type { BodySchema, Operation } from './document.ts'

/** A request and who sends it. */
export interface Shot {
  readonly role: Role
  readonly query: string
  readonly request: ClientRequest
  /** The names of properties whose values are the sender's own, when that is so far. */
  readonly own: readonly string[]
}

/** Properties that a sender has real values for. */
export const OWN = ['round', 'start', 'username', 'password']

const LONGEST_HEADER = 500

/** Texts that have been trouble somewhere. */
const TROUBLE = [
  ...[
    '',
    ' ',
    '\0',
    '\n',
    '\r\n',
    '\u0085',
    '\u2028',
    '\u202e',
    '\ufeff',
    '\ud800',
    '\u00e9',
    'e\u0301',
    '\u1160',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'null',
    'undefined',
    'NaN',
    'true',
    '0',
    '-1',
    '1e999',
    '[object Object]',
  ],
  ...[
    "'; drop table users; --",
    '%00',
    '%0d%0aSet-Cookie: a=b',
    '../../etc/passwd',
    '<script>alert(1)</script>',
  ],
  ...[
    '\u001b[31m',
    '👨‍👩‍👧‍👦',
    'ﷺ'.repeat(50),
    'ß',
    'İ',
    'ı',
    '\u{10ffff}',
    'a'.repeat(33),
    'a'.repeat(200),
    'a'.repeat(1_025),
  ],
]

const trouble = fc.constantFrom(...TROUBLE)
const text = fc.oneof(trouble, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
/** What undici lets into a header: visible characters of Latin 1 and spaces between them. */
const headerText = fc
  .string({
    unit: fc.constantFrom(...' !"#;,=/:@[]{}~\u00a0\u00ff', 'a', 'Z', '0'),
    maxLength: LONGEST_HEADER,
  })
  .map(value => value.trim())

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
  fc.constantFrom<unknown>(null, true, [], {}, 0, -0, -1, 0.0005, 600.001, 1e21, Number.MAX_SAFE_INTEGER + 1),
  fc.string({ minLength: 100, maxLength: 1_500 }),
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
  fc.anything().map(thing => `${JSON.stringify(thing)}`),
  fc.constantFrom(
    '[',
    '{"a":',
    '"',
    '{}x',
    '{"a":1}{"a":2}',
    '\ufeff{}',
    `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  ),
  fc.string({ minLength: 8_000, maxLength: 9_000 }),
)

const CONTENT_TYPES = [
  ...[
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json; charset=utf-7',
  ],
  ...[
    'application/json;',
    'text/json',
    'application/problem+json',
    'text/plain',
    'text/html',
    'application/xml',
    '*/*',
  ],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'nonsense',
    '',
  ],
]

const headers = fc.dictionary(
  fc.constantFrom(
    ...[
      'accept',
      'accept-encoding',
      'accept-language',
      'authorization',
      'content-encoding',
      'content-type',
      'cookie',
    ],
    ...[
      'from',
      'if-match',
      'if-modified-since',
      'if-none-match',
      'max-forwards',
      'origin',
      'pragma',
      'range',
      'referer',
    ],
    ...[
      'sec-fetch-dest',
      'sec-fetch-mode',
      'sec-fetch-site',
      'upgrade-insecure-requests',
      'user-agent',
      'via',
    ],
    ...[
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-http-method-override',
      'x-request-id',
      '__proto__',
    ],
  ),
  fc.oneof(
    headerText,
    fc.constantFrom('same-origin', 'cross-site', 'gzip', 'identity', '*', 'null', 'bytes=0-', 'https'),
  ),
  { maxKeys: 4, noNullPrototype: true },
)

const query = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: text.map(value => `?${encodeURIComponent(value.toWellFormed())}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '?',
      '?a[b]=c',
      '?__proto__[x]=1',
      '?%',
      '?%ff',
      '?&&&=',
      `?${'a=1&'.repeat(500)}`,
    ),
  },
)

const role = fc.constantFrom(...ROLES)
const asJson = (body: unknown): ClientRequest => ({ text: JSON.stringify(body) ?? '' })

/** Everything that may be sent to an operation: valid, nearly valid, wild. */
export function shotsAt({ method, body }: Operation): Arbitrary<Shot> {
  const own = fc.oneof(fc.constant(OWN), fc.subarray(OWN))
  const shot = (request: Arbitrary<ClientRequest>) => fc.record({ role, query, own, request })
  if (method === 'GET') return shot(fc.record({ headers }))
  const kinds: Arbitrary<ClientRequest>[] = [
    fc.record({
      text: wildBody,
      headers: fc.constantFrom(...CONTENT_TYPES).map(type => ({ 'content-type': type })),
    }),
    fc.record({ text: wildBody, headers }),
    fc.constant({}),
  ]
  if (body) {
    kinds.push(
      valid(body).map(asJson),
      valid(body).map(asJson),
      nearlyValid(body).map(asJson),
      nearlyValid(body).map(asJson),
    )
    kinds.push(fc.tuple(valid(body), headers).map(([value, more]) => ({ ...asJson(value), headers: more })))
  }
  return shot(fc.oneof(...kinds).map(request => ({ ...request, method })))
}
