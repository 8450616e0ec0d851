import { readFileSync } from 'node:fs'
import { compile } from '@fastify/proxy-addr'
import { describe, expect, test } from 'vitest'
import { CLOCK_TOLERANCE_MS } from '../contract/clock.ts'
import { connectionOf } from './database/connection.ts'
import { InvalidSetting, readEnv, SETTING_NAMES, SETTINGS } from './settings.mjs'

const SECRET = 'a secret of more than 32 characters'
const DATABASE_URL = 'postgres://taps:hidden-word@db.example.org/taps'

describe('readEnv', () => {
  test('returns the defaults when nothing is set', () => {
    expect(readEnv({}, '/srv/taps')).toEqual({
      port: 3000,
      host: 'localhost',
      databaseUrl: null,
      dataDir: '/srv/taps/data',
      secret: null,
      prizeHoldMinutes: 15,
      clockToleranceMs: CLOCK_TOLERANCE_MS,
      logLevel: 'info',
      logFormat: 'text',
      metrics: 'local',
      publicUrl: null,
      aboutUrl: null,
      trustProxy: false,
      rateLimits: true,
    })
  })

  test('treats an empty variable as unset, and ignores unknown variables', () => {
    const names = ['PORT', 'HOST', 'DATABASE_URL', 'DATA_DIR', 'SECRET', 'PRIZE_HOLD_MINUTES', 'TRUST_PROXY']
    const empty = Object.fromEntries(names.map(name => [name, '']))
    expect(readEnv({ ...empty, TAPS_COLOUR: 'red' })).toEqual(readEnv({}))
  })

  test.each([
    ['PORT', '65535', { port: 65_535 }],
    ['HOST', '::1', { host: '::1' }],
    ['DATA_DIR', 'elsewhere/data', { dataDir: '/srv/taps/elsewhere/data' }],
    ['DATA_DIR', './there', { dataDir: '/srv/taps/there' }],
    ['SECRET', SECRET, { secret: SECRET }],
    ['PRIZE_HOLD_MINUTES', '0.05', { prizeHoldMinutes: 0.05 }],
    ['CLOCK_TOLERANCE_MS', '-20', { clockToleranceMs: -20 }],
    ['CLOCK_TOLERANCE_MS', '1e6', { clockToleranceMs: 1_000_000 }],
    ['METRICS', SECRET, { metrics: { token: SECRET } }],
    ['PUBLIC_URL', 'http://Taps.example.org:8080/', { publicUrl: 'http://taps.example.org:8080' }],
    ['ABOUT_URL', 'https://example.org/imprint?a=1&b', { aboutUrl: 'https://example.org/imprint?a=1&b' }],
    ['TRUST_PROXY', '10.0.0.0/8, ::1', { trustProxy: ['10.0.0.0/8', '::1'] }],
    ['RATE_LIMITS', 'off', { rateLimits: false }],
  ])('reads %s=%s', (name, value, expected) => {
    expect(readEnv({ [name]: value }, '/srv/taps')).toMatchObject(expected)
  })

  test.each([
    ['', ''],
    ['?sslmode=disable', '?sslmode=disable'],
    // Prevents a warning of the driver.
    ['?sslmode=require', '?sslmode=verify-full'],
    ['?sslmode=verify-ca', '?sslmode=verify-full'],
    ['?host=/var/run/postgresql', '?host=/var/run/postgresql'],
  ])('reads a DATABASE_URL that ends in "%s", together with SECRET', (given, expected) => {
    for (const address of [DATABASE_URL, 'postgres://taps:hidden-word@/taps']) {
      const { databaseUrl, secret } = readEnv({ DATABASE_URL: address + given, SECRET })
      expect({ databaseUrl, secret }).toEqual({ databaseUrl: address + expected, secret: SECRET })
    }
  })

  const REFUSED: Readonly<Record<string, readonly string[]>> = {
    PORT: ['65536', '80.5', ' '],
    HOST: ['http://localhost'],
    PRIZE_HOLD_MINUTES: ['0', '1e-7', '1e308', '15m'],
    CLOCK_TOLERANCE_MS: ['NaN', '1e999', '0x10'],
    LOG_LEVEL: ['loud'],
    PUBLIC_URL: ['taps.example.org', 'https://taps.example.org/game', 'https://taps.example.org/?a'],
    RATE_LIMITS: ['no'],
  }

  test.each(Object.entries(REFUSED).flatMap(([name, values]) => values.map(value => [name, value] as const)))(
    'refuses %s=%s, and shows the name and value in one line',
    (name, value) => {
      const message = refusal({ [name]: value })
      expect(message).toMatch(new RegExp(`^${name} is ".*": expected .+$`))
      expect(message).toContain(JSON.stringify(value))
    },
  )

  test.each([
    [{ DATABASE_URL: 'mysql://taps:hidden-word@db/taps', SECRET }, /^DATABASE_URL is not usable: expected /],
    [{ DATABASE_URL: `${DATABASE_URL}?sslmode=prefer`, SECRET }, /: expected an sslmode of .*"prefer"$/],
    [{ DATABASE_URL: 'postgres://u:hidden-word@a:1,b:2/taps', SECRET }, /: expected an address such as /],
    [{ DATABASE_URL }, /^SECRET is not set but DATABASE_URL is: expected at least 32 characters/],
    [{ METRICS: 'a hidden-word' }, /^METRICS is not usable: expected open, local, or a token/],
    [{ SECRET: 'a hidden-word' }, /^SECRET has 13 characters: expected at least 32 characters/],
  ])('refuses invalid variables without showing a secret (%#)', (variables, expected) => {
    const message = refusal(variables)
    expect(message).toMatch(expected)
    expect(message).not.toContain('hidden-word')
  })

  test.each(['p@hidden-word/b', '1?hidden-word'])(
    'asks to encode the password in a DATABASE_URL with the password %s, without showing its parts',
    password => {
      const message = refusal({ DATABASE_URL: `postgres://u:${password}@db/taps`, SECRET })
      expect(message).toMatch(/^DATABASE_URL is not usable: expected a password in which @/)
      expect(message).not.toContain('hidden-word')
    },
  )
})

function refusal(variables: NodeJS.ProcessEnv): string {
  try {
    readEnv(variables)
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidSetting)
    return error instanceof InvalidSetting ? error.message : ''
  }
  throw new Error('readEnv accepted the variables')
}

test.each([
  [
    `${DATABASE_URL}?sslrootcert=/no/ca.pem`,
    /^A certificate .* \(ENOENT: .*'\/no\/ca\.pem'\): correct its path/,
  ],
  [
    `${DATABASE_URL}?sslkey=/`,
    /^A certificate in DATABASE_URL cannot be read \(EISDIR: .*\): correct its path/,
  ],
  ['postgres://u:hidden-word%ff@db/taps', /: expected an address .*\(URI malformed\)$/],
])('refuses an address that the driver cannot read, without showing the password (%#)', (url, expected) => {
  const databaseUrl = readEnv({ DATABASE_URL: url, SECRET }).databaseUrl ?? ''
  expect(() => connectionOf(databaseUrl)).toThrow(expected)
  expect(() => connectionOf(databaseUrl)).not.toThrow('hidden-word')
})

test.each(['10.0.0.0/8', '::1', '::ffff:10.0.0.0/104', 'uniquelocal'])(
  'accepts %s as a proxy, as Fastify does',
  network => {
    expect(readEnv({ TRUST_PROXY: `::1, ${network}` }).trustProxy).toEqual(['::1', network])
    expect(() => compile(network)).not.toThrow()
  },
)

test.each(['10.0.0.256', '10.0.0.0/0', '10.0.0.0/33', 'fc00::/129', '[::1]', '', 'true', '::1%lo/8/8'])(
  'refuses "%s" as a proxy, because Fastify would fail',
  network => {
    expect(() => readEnv({ TRUST_PROXY: `::1,${network}` })).toThrow('TRUST_PROXY is')
    expect(() => compile(network)).toThrow()
  },
)

test('imports nothing, because scripts read the settings before any package is installed', () => {
  expect(readFileSync('server/settings.mjs', 'utf8')).not.toMatch(/^import |import\('|require\(/m)
})

test('README.md names every setting with its default', () => {
  const rows = readFileSync('README.md', 'utf8').matchAll(/^\| `([A-Z_]+)` \| (.*?) \|/gm)
  const documented = Array.from(rows, ([, name = '', otherwise = '']) => [name, otherwise])
  expect(documented.map(([name]) => name).sort()).toEqual([...SETTING_NAMES].sort())
  for (const { name, otherwise } of SETTINGS.filter(setting => setting.otherwise !== '')) {
    expect(documented, name).toContainEqual([name, otherwise])
  }
})
