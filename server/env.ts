import { resolve } from 'node:path'
import { CLOCK_TOLERANCE_MS } from '../contract/clock.ts'
import { databaseAddress } from './database/address.ts'
import { InvalidSetting } from './lib/invalid-setting.ts'
import { StartError } from './lib/start-error.ts'
import { isNetwork } from './limits/networks.ts'
import type { LogFormat } from './log.ts'
import type { SETTING_NAMES } from './setting-names.mjs'

const SECRET_MIN_LENGTH = 32
/**
 * The shortest hold. JavaScript writes much smaller numbers in forms such as 1e-7, which PostgreSQL rejects.
 */
const PRIZE_HOLD_MIN_MINUTES = 0.001
/** The longest hold: a year, far below PostgreSQL's largest interval. */
const PRIZE_HOLD_MAX_MINUTES = 525_600

const LOG_LEVELS = ['info', 'warn', 'error'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

/** Access to the metrics for all clients, for this machine, or for clients that send the token. */
export type MetricsAccess = 'open' | 'local' | { readonly token: string }

type Settings = Readonly<Partial<Record<(typeof SETTING_NAMES)[number], string>>>

export interface Env {
  /** The port; 0 lets the system choose a free port. */
  readonly port: number
  readonly host: string
  /** The database's address; null for the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null
  readonly dataDir: string
  /** The secret; null when `dataDir` holds it, but never null with `databaseUrl`. */
  readonly secret: string | null
  readonly prizeHoldMinutes: number
  readonly clockToleranceMs: number
  readonly logLevel: LogLevel
  readonly logFormat: LogFormat
  readonly metrics: MetricsAccess
  readonly publicUrl: string | null
  /** The target of the page's About link, or null. */
  readonly aboutUrl: string | null
  /** The proxies whose `X-Forwarded-For` is trusted; false for none. */
  readonly trustProxy: string[] | false
  readonly rateLimits: boolean
}

/**
 * Reads the settings; an empty variable counts as not set.
 *
 * @param cwd - The base of a relative `DATA_DIR`.
 * @throws {StartError} that names the first invalid variable and never contains a secret
 */
export function readEnv(variables: NodeJS.ProcessEnv, cwd = process.cwd()): Env {
  const { DATA_DIR, SECRET }: Settings = variables
  const databaseUrl = read(variables, 'DATABASE_URL', null, databaseAddress)
  return Object.freeze({
    port: read(variables, 'PORT', 3000, port),
    host: read(variables, 'HOST', 'localhost', host),
    databaseUrl,
    dataDir: resolve(cwd, DATA_DIR || 'data'),
    secret: secret(SECRET, databaseUrl !== null),
    prizeHoldMinutes: read(variables, 'PRIZE_HOLD_MINUTES', 15, holdMinutes),
    clockToleranceMs: read(variables, 'CLOCK_TOLERANCE_MS', CLOCK_TOLERANCE_MS, decimal),
    logLevel: read(variables, 'LOG_LEVEL', 'info', logLevel),
    logFormat: read(variables, 'LOG_FORMAT', 'text', logFormat),
    metrics: read(variables, 'METRICS', 'local', metricsAccess),
    publicUrl: read(variables, 'PUBLIC_URL', null, origin),
    aboutUrl: read(variables, 'ABOUT_URL', null, webAddress),
    trustProxy: read(variables, 'TRUST_PROXY', false, proxies),
    rateLimits: read(variables, 'RATE_LIMITS', true, onOff),
  })
}

type Parse<Value> = (text: string) => Value | InvalidSetting

function read<Value, Default>(
  variables: Settings,
  name: keyof Settings,
  otherwise: Default,
  parse: Parse<Value>,
): Value | Default {
  const text = variables[name]
  if (text === undefined || text === '') return otherwise
  const value = parse(text)
  if (!(value instanceof InvalidSetting)) return value
  const given = value.show ? ` is ${JSON.stringify(text)}` : ' is not usable'
  throw new StartError(`${name}${given}: expected ${value.expected}`)
}

function port(text: string): number | InvalidSetting {
  const number = Number(text)
  if (/^\d{1,5}$/.test(text) && number <= 65_535) return number
  return new InvalidSetting('a whole number from 0 to 65535')
}

function host(text: string): string | InvalidSetting {
  if (/^[\w.:%-]+$/.test(text)) return text
  return new InvalidSetting('a host name or an address, such as localhost or 0.0.0.0')
}

function secret(text: string | undefined, required: boolean): string | null {
  const rule = `expected at least ${SECRET_MIN_LENGTH} characters, the same for every server of this game`
  if (text) {
    if (text.length >= SECRET_MIN_LENGTH) return text
    throw new StartError(`SECRET has ${text.length} characters: ${rule}`)
  }
  if (!required) return null
  throw new StartError(`SECRET is not set but DATABASE_URL is: ${rule}`)
}

function decimal(text: string): number | InvalidSetting {
  const number = Number(text)
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(number)) return number
  return new InvalidSetting('a number')
}

function holdMinutes(text: string): number | InvalidSetting {
  const minutes = decimal(text)
  if (typeof minutes === 'number' && minutes >= PRIZE_HOLD_MIN_MINUTES && minutes <= PRIZE_HOLD_MAX_MINUTES)
    return minutes
  return new InvalidSetting(`a number of minutes from ${PRIZE_HOLD_MIN_MINUTES} to ${PRIZE_HOLD_MAX_MINUTES}`)
}

function logLevel(text: string): LogLevel | InvalidSetting {
  return LOG_LEVELS.find(level => level === text) ?? new InvalidSetting(`one of ${LOG_LEVELS.join(', ')}`)
}

function logFormat(text: string): LogFormat | InvalidSetting {
  return text === 'text' || text === 'json' ? text : new InvalidSetting('text or json')
}

function metricsAccess(text: string): MetricsAccess | InvalidSetting {
  if (text === 'open' || text === 'local') return text
  if (text.length >= SECRET_MIN_LENGTH) return { token: text }
  return new InvalidSetting(`open, local, or a token of at least ${SECRET_MIN_LENGTH} characters`, false)
}

function origin(text: string): string | InvalidSetting {
  const invalid = new InvalidSetting(
    'an http or https address without a path, such as https://taps.example.org',
  )
  if (!URL.canParse(text)) return invalid
  const url = new URL(text)
  const plain = url.href === `${url.origin}/` && /^https?:$/.test(url.protocol)
  return plain ? url.origin : invalid
}

function webAddress(text: string): string | InvalidSetting {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol)) return url.href
  return new InvalidSetting('an http or https address, such as https://example.org/imprint')
}

function proxies(text: string): string[] | InvalidSetting {
  const list = text.split(',').map(entry => entry.trim())
  if (list.every(isNetwork)) return list
  return new InvalidSetting(
    'a comma-separated list of your own proxies: addresses, networks (10.0.0.0/8) or loopback, linklocal, uniquelocal',
  )
}

function onOff(text: string): boolean | InvalidSetting {
  if (text === 'on') return true
  return text === 'off' ? false : new InvalidSetting('on or off')
}
