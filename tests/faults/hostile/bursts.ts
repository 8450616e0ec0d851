/** Something that should never have been sent: bytes for one connection, and how many answers they deserve. */
export interface Burst {
  readonly bytes: string
  readonly answers: number
}

const HOST = 'host: taps.example\r\n'
const JSON_TYPE = 'content-type: application/json\r\n'
const UNSAFE = ['/api/rounds', '/api/attempts', '/api/login', '/api/users', '/api/logout', '/api/claim']

const one = (bytes: string): Burst => ({ bytes, answers: 1 })
const get = (path: string, more = '', method = 'GET') =>
  one(`${method} ${path} HTTP/1.1\r\n${HOST}${more}\r\n`)

function post(path: string, body: string, more = JSON_TYPE): Burst {
  return one(`POST ${path} HTTP/1.1\r\n${HOST}${more}content-length: ${body.length}\r\n\r\n${body}`)
}

const toAll = (body: string) => UNSAFE.map(path => post(path, body))

function chunked(path: string, chunks: number, size: number): Burst {
  const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`
  return one(
    `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}transfer-encoding: chunked\r\n\r\n${chunk.repeat(chunks)}0\r\n\r\n`,
  )
}

/** A value in so many lists or objects that it just fits into a body. */
const DEEP = ['['.repeat(4_000) + ']'.repeat(4_000), `${'{"a":'.repeat(1_300)}1${'}'.repeat(1_300)}`]

/** What used to change the prototype of every object. */
const POLLUTION = [
  '{"__proto__":{"isAdmin":true,"taps_balance":1000}}',
  '{"constructor":{"prototype":{"taps_balance":1000}}}',
  '{"username":{"__proto__":{"toString":1}},"password":"x"}',
  '{"\\u005f\\u005fproto\\u005f\\u005f":{"status":200}}',
  '{"username":"__proto__","password":"constructor"}',
  '{"round":"__proto__"}',
  '{"username":"constructor","password":"hasOwnProperty","toString":1}',
]

/** Bytes that are no UTF-8: overlong, cut short, surrogates, beyond the last character. */
const BAD_UTF8 = [
  '\xc0\xaf',
  '\xe2\x82',
  '\xed\xa0\x80',
  '\xf4\x90\x80\x80',
  '\xff\xfe',
  '\x80',
  '\xf8\x88\x80\x80\x80',
]

const PATHS = [
  '//',
  '//evil.example/',
  '///api///session',
  '/api//session',
  '/./api/./session',
  '/../../../etc/passwd',
  '/..%2f..%2f..%2fetc%2fpasswd',
  '/%2e%2e/%2e%2e/package.json',
  '/assets/..%5c..%5cserver%5cmain.js',
  '/assets/%2e%2e%2findex.html',
  '/api/docs/static/../../../../etc/passwd',
  '/api/docs/static/%2e%2e/%2e%2e/package.json',
  '/index.html%00.js',
  '/%00',
  '/api/session%00',
  '/api/session/',
  '/api/session;a=b',
  '/api/session?',
  `/api/session?${'a=b&'.repeat(2_000)}`,
  `/${'a'.repeat(8_000)}`,
  `/${'%41'.repeat(4_000)}`,
  `/${'/'.repeat(8_000)}`,
  `/api/docs/static/${'../'.repeat(2_000)}`,
  '/.git/config',
  '/.env',
  '/api/__proto__',
  '/constructor',
  '/%',
  '/%zz',
  '/%c0%ae%c0%ae/',
  '/\xff\xfe',
  '*',
  'http://evil.example/api/session',
  'https://taps.example:443/api/session',
  'javascript:alert(1)',
]

const METHODS = [
  ...['TRACE', 'TRACK', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'PURGE', 'LINK', 'QUERY', 'SOURCE'],
  ...['FROB', 'get', 'Post', 'G', 'X'.repeat(500), 'GET\tPOST', 'PRI'],
]

/** What servers have been told to take for the real method, host, path or scheme. */
const OVERRIDES = [
  'x-http-method-override: DELETE\r\n',
  'x-method-override: POST\r\n',
  'x-http-method: PUT\r\n',
  'x-original-url: /api/claim\r\n',
  'x-rewrite-url: /metrics\r\n',
  'x-forwarded-host: evil.example\r\nx-forwarded-proto: https\r\nx-forwarded-for: 127.0.0.1\r\n',
  'forwarded: for=127.0.0.1;host=evil.example;proto=https\r\n',
  'upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
  'upgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n',
  'expect: 100-continue\r\n',
  'expect: the unexpected\r\n',
  'range: bytes=0-,1-,2-,3-,4-\r\n',
  `range: bytes=${'0-1,'.repeat(1_000)}\r\n`,
  'if-none-match: "x", W/"y", *\r\n',
  'accept-encoding: br;q=0, gzip;q=nonsense\r\n',
  'accept: text/nonsense\r\n',
  'te: trailers, deflate;q=0.5\r\n',
]

const COOKIES = [
  `cookie: ${'a=b; '.repeat(2_500)}\r\n`,
  `cookie: taps-session=${'x'.repeat(10_000)}\r\n`,
  'cookie: taps-player=\xff\xfe; taps-session=%00\r\n',
  'cookie: __proto__=x; constructor=y; taps-player[]=z\r\n',
  'cookie: ;;;===;=;taps-player\r\n',
  `${'cookie: taps-player=x\r\n'.repeat(200)}`,
]

const floods = [
  `${'a: b\r\n'.repeat(1_900)}`,
  Array.from({ length: 1_000 }, (_, n) => `x-header-${n}: ${n}\r\n`).join(''),
  `x: ${'y'.repeat(15_000)}\r\n`,
  `x: ${'y'.repeat(64_000)}\r\n`,
  `${'y'.repeat(15_000)}: x\r\n`,
  ...COOKIES,
]

/** Smuggling: two readings of where one request ends and the next begins. */
const SMUGGLED = [
  `POST /api/claim HTTP/1.1\r\n${HOST}content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nG`,
  `POST /api/claim HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n0\r\n\r\n`,
  `POST /api/claim HTTP/1.1\r\n${HOST}transfer-encoding : chunked\r\n\r\n0\r\n\r\n`,
  `POST /api/claim HTTP/1.1\r\n${HOST}content-length: +2\r\n\r\n{}`,
  `POST /api/claim HTTP/1.1\r\n${HOST}content-length: 0x2\r\n\r\n{}`,
  `POST /api/claim HTTP/1.1\r\n${HOST}content-length: -1\r\n\r\n`,
  `POST /api/claim HTTP/1.1\r\n${HOST}content-length: 99999999999999999999\r\n\r\n`,
  `POST /api/claim HTTP/1.1\n${HOST}\nx`,
  `GET /healthz HTTP/1.1\r\n${HOST}host: evil.example\r\n\r\n`,
  'GET /healthz HTTP/1.1\r\n\r\n',
  'GET /healthz HTTP/1.1\r\nhost:\r\n\r\n',
  'GET /healthz HTTP/1.1\r\nhost: a b\r\n\r\n',
  'GET /healthz HTTP/0.9\r\n\r\n',
  'GET /healthz\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\r\n\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n',
  '\0'.repeat(1_000),
].map(one)

/** Everything hostile that fits into one connection, by kind. */
export const BURSTS: Readonly<Record<string, readonly Burst[]>> = {
  'huge bodies': [
    ...toAll(`{"username":"${'x'.repeat(1_000_000)}"}`),
    ...UNSAFE.map(path => chunked(path, 200, 10_000)),
    one(`POST /api/login HTTP/1.1\r\n${HOST}${JSON_TYPE}content-length: 10000000000\r\n\r\n{`),
  ],
  'deep bodies': DEEP.flatMap(toAll),
  'polluting bodies': POLLUTION.flatMap(toAll),
  'bodies of no UTF-8': BAD_UTF8.flatMap(bytes => [
    ...toAll(`{"username":"${bytes}","password":"${bytes}${bytes}${bytes}${bytes}"}`),
    post('/api/claim', bytes),
  ]),
  'bodies that are no JSON': [
    '{',
    '{"a":1,}',
    "{'a':1}",
    'NaN',
    '1e999',
    '\0',
    '{"a":"\n"}',
    '"\\ud800"',
  ].flatMap(toAll),
  paths: PATHS.flatMap(path => [get(path), get(path, '', 'HEAD'), post(path, '{}')]),
  methods: METHODS.flatMap(method => [
    get('/', '', method),
    get('/api/session', '', method),
    get('/x', '', method),
  ]),
  'header tricks': OVERRIDES.flatMap(header => [
    get('/', header),
    get('/api/session', header),
    post('/api/login', '{}', JSON_TYPE + header),
  ]),
  'header floods': floods.flatMap(headers => [
    get('/api/session', headers),
    post('/api/login', '{}', JSON_TYPE + headers),
  ]),
  'requests in doubt': SMUGGLED,
  pipelining: ['/api/session', '/api/leaderboard', '/', '/nowhere'].map(path => ({
    bytes: get(path).bytes.repeat(90),
    answers: 90,
  })),
  'endless pipelining': ['/api/session', '/', '/api/docs/static/swagger-ui-bundle.js'].map(path => ({
    bytes: get(path).bytes.repeat(2_000),
    answers: 2_000,
  })),
}
