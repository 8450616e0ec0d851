// The settings. This file imports nothing, because the scripts read it before any package is installed.

/**
 * @template Value
 * @typedef {object} Setting
 * @property {string} name
 * @property {string} otherwise - The default, as text; empty when there is none.
 * @property {string | ((text: string) => string)} expected - The rest of the sentence "expected …".
 * @property {(text: string) => Value | undefined} read - Returns undefined for an invalid value.
 */

/**
 * @template Type
 * @typedef {Type extends Setting<infer Value> ? Value : never} ValueOf
 */

/** An error that names an invalid setting and never contains a secret. */
export class InvalidSetting extends Error {}

const SECRET_MIN_LENGTH = 32

/** Settings whose values may contain a secret, so that no error shows them. */
const SECRETS = ['DATABASE_URL', 'METRICS']

export const DATABASE_ADDRESS = 'an address such as postgres://user:password@host:5432/database'

/** The SSL modes that the driver of the database can handle; it cannot handle `prefer` and `allow`. */
const SSL_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']

/** The names of groups of networks. */
const GROUPS = ['loopback', 'linklocal', 'uniquelocal']

/** Every setting; README.md has the same names and defaults. */
const TABLE = {
  port: setting('PORT', '3000', 'a whole number from 0 to 65535', text =>
    /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
  ),
  host: setting('HOST', 'localhost', 'a host name or an address, such as localhost or 0.0.0.0', text =>
    /^[\w.:%-]+$/.test(text) ? text : undefined,
  ),
  databaseUrl: optional('DATABASE_URL', ruleOfDatabaseUrl, text =>
    // Prevents the driver's warning that these modes mean verify-full.
    ruleOfDatabaseUrl(text)
      ? undefined
      : text.replace(/([?&]sslmode=)(require|verify-ca)(?=&|$)/, '$1verify-full'),
  ),
  dataDir: setting('DATA_DIR', './data', 'a folder', text => text),
  secret: optional(
    'SECRET',
    `at least ${SECRET_MIN_LENGTH} characters, the same for every server of this game`,
    text => text,
  ),
  publicUrl: optional(
    'PUBLIC_URL',
    'an http or https address without a path, such as https://taps.example.org',
    text => {
      const url = webAddress(text)
      return url?.href === `${url?.origin}/` ? url.origin : undefined
    },
  ),
  aboutUrl: optional(
    'ABOUT_URL',
    'an http or https address, such as https://example.org/imprint',
    text => webAddress(text)?.href,
  ),
  trustProxy: optional(
    'TRUST_PROXY',
    `a comma-separated list of your own proxies: addresses, networks (10.0.0.0/8) or ${GROUPS.join(', ')}`,
    text => {
      const list = text.split(',').map(entry => entry.trim())
      return list.every(isNetwork) ? list : undefined
    },
  ),
  // JavaScript writes much smaller numbers in forms such as 1e-7, which PostgreSQL rejects.
  prizeHoldMinutes: setting('PRIZE_HOLD_MINUTES', '15', 'a number of minutes from 0.001 to 525600', text => {
    const minutes = decimal(text)
    return minutes !== undefined && minutes >= 0.001 && minutes <= 525_600 ? minutes : undefined
  }),
  clockToleranceMs: setting('CLOCK_TOLERANCE_MS', '750', 'a number', decimal),
  logLevel: setting('LOG_LEVEL', 'info', 'one of info, warn, error', oneOf('info', 'warn', 'error')),
  logFormat: setting('LOG_FORMAT', 'text', 'text or json', oneOf('text', 'json')),
  metrics: setting(
    'METRICS',
    'local',
    `open, local, or a token of at least ${SECRET_MIN_LENGTH} characters`,
    text => oneOf('open', 'local')(text) ?? (text.length >= SECRET_MIN_LENGTH ? { token: text } : undefined),
  ),
  rateLimits: setting('RATE_LIMITS', 'on', 'on or off', text =>
    /^(on|off)$/.test(text) ? text === 'on' : undefined,
  ),
}

/** @type {readonly Setting<unknown>[]} */
export const SETTINGS = Object.values(TABLE)

export const SETTING_NAMES = SETTINGS.map(({ name }) => name)

/**
 * The settings as values. `port` 0 lets the system choose a free port. `databaseUrl` is null for the embedded
 * PostgreSQL in `dataDir`. `secret` is null when `dataDir` holds it. `metrics` says which clients may read
 * them. `trustProxy` has the proxies whose `X-Forwarded-For` is trusted, or is false.
 *
 * @typedef {ReturnType<typeof readEnv>} Env
 */

/**
 * Reads the settings; an empty variable counts as not set.
 *
 * @param {NodeJS.ProcessEnv} variables
 * @param {string} cwd - The base of a relative `DATA_DIR`.
 * @throws {InvalidSetting} for the first invalid setting
 */
export function readEnv(variables, cwd = process.cwd()) {
  const entries = Object.entries(TABLE).map(([key, setting]) => [key, readSetting(setting, variables)])
  /** @type {{ readonly [Key in keyof typeof TABLE]: ValueOf<(typeof TABLE)[Key]> }} */
  const env = Object.fromEntries(entries)
  checkSecret(env)
  const dataDir = env.dataDir.replace(/^(\.\/)+/, '')
  return Object.freeze({
    ...env,
    dataDir: dataDir.startsWith('/') ? dataDir : `${cwd}/${dataDir}`,
    trustProxy: env.trustProxy ?? /** @type {const} */ (false),
  })
}

/**
 * @param {Setting<unknown>} setting
 * @param {NodeJS.ProcessEnv} variables
 */
function readSetting({ name, otherwise, expected, read }, variables) {
  const text = variables[name] || otherwise
  if (text === '') return null
  const value = read(text)
  if (value !== undefined) return value
  const given = SECRETS.includes(name) ? ' is not usable' : ` is ${JSON.stringify(text)}`
  const rule = typeof expected === 'string' ? expected : expected(text)
  throw new InvalidSetting(`${name}${given}: expected ${rule}`)
}

/**
 * @template Value
 * @param {string} name
 * @param {string} otherwise
 * @param {Setting<Value>['expected']} expected
 * @param {Setting<Value>['read']} read
 * @returns {Setting<Value>}
 */
function setting(name, otherwise, expected, read) {
  return { name, otherwise, expected, read }
}

/**
 * @template Value
 * @param {string} name
 * @param {Setting<Value>['expected']} expected
 * @param {Setting<Value>['read']} read
 * @returns {Setting<Value | null>}
 */
function optional(name, expected, read) {
  return { name, otherwise: '', expected, read }
}

/** @param {{ secret: string | null, databaseUrl: string | null }} env */
function checkSecret({ secret, databaseUrl }) {
  if (secret ? secret.length >= SECRET_MIN_LENGTH : !databaseUrl) return
  const given = secret ? `has ${secret.length} characters` : 'is not set but DATABASE_URL is'
  throw new InvalidSetting(`SECRET ${given}: expected ${TABLE.secret.expected}`)
}

/**
 * Returns what is expected instead of an address of a database; empty for a valid address.
 *
 * @param {string} text
 */
function ruleOfDatabaseUrl(text) {
  // Otherwise the rest of the password would be read as a host or database, and shown in messages.
  if (/^postgres(ql)?:\/\/[^/?#]*[/?#].*@/.test(text)) {
    return 'a password in which @ / ? # are written as %40 %2F %3F %23, because everything up to the last @ belongs to it'
  }
  // Adds a host: `URL` requires one, but an address may name a socket folder in ?host= instead.
  const url = text.replace('@/', '@localhost/')
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    return DATABASE_ADDRESS
  }
  const mode = parsed.searchParams.get('sslmode')
  if (mode === null || SSL_MODES.includes(mode)) return ''
  return `an sslmode of ${SSL_MODES.join(', ')}, not ${JSON.stringify(mode)}`
}

/** @param {string} text */
function webAddress(text) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/**
 * Returns whether an entry is an address, a network such as 10.0.0.0/8, or the name of a group.
 *
 * @param {string} entry
 */
function isNetwork(entry) {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const isIPv4 = /^\d+(\.\d+){3}$/.test(address) && URL.canParse(`http://${address}`)
  if (!isIPv4 && !URL.canParse(`http://[${address}]`)) return GROUPS.includes(entry)
  return bits === undefined || (Number(bits) > 0 && Number(bits) <= (isIPv4 ? 32 : 128))
}

/** @param {string} text */
function decimal(text) {
  const isDecimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)
  return isDecimal && Number.isFinite(Number(text)) ? Number(text) : undefined
}

/**
 * @template {string} Word
 * @param {...Word} words
 * @returns {(text: string) => Word | undefined}
 */
function oneOf(...words) {
  return text => words.find(word => word === text)
}
