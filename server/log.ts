import { hostname } from 'node:os'
import { LogOutput } from './lib/log-output.ts'
import { VERSION } from './lib/project.ts'

interface LogMethod {
  (fields: object, event: string): void
  (event: string): void
}

export type Logger = Readonly<Record<'info' | 'warn' | 'error', LogMethod>>

/** The fields that identify this process in a shared log. */
export const ORIGIN = { pid: process.pid, hostname: hostname(), version: VERSION } as const

export type LogFormat = 'text' | 'json'

const LEVELS = { info: 30, warn: 40, error: 50 } as const

/** Standard output, for the lines of `announce` and of the server's log. */
export const logOutput = new LogOutput(dropped =>
  lineOf('warn', 'lines of the log were dropped', { dropped }),
)

interface Fields {
  /** A server error, to log with its stack. */
  readonly err?: Error
  readonly signal?: NodeJS.Signals
}

/** Logs a line that the operator must see, whatever the `LOG_LEVEL`. */
export function announce(
  level: keyof typeof LEVELS,
  sentence: string,
  { err, ...fields }: Fields = {},
): void {
  logOutput.write(lineOf(level, sentence, { ...fields, ...(err && { err: serializeError(err) }) }))
}

function lineOf(level: keyof typeof LEVELS, sentence: string, fields?: object): string {
  const line = { level: LEVELS[level], time: Date.now(), ...ORIGIN, ...fields, msg: sentence }
  // Avoids `Env`, because the settings may be invalid or not yet read.
  const { LOG_FORMAT } = process.env
  return `${lineWriter(LOG_FORMAT === 'json' ? 'json' : 'text')(JSON.stringify(line))}\n`
}

/** Logs warnings and fatal errors, which Node would otherwise print itself. */
export function logUncaughtErrors(): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => announce('warn', `${name}: ${message}`))
  process.on('uncaughtException', error => {
    announce('error', error.message, { err: error })
    process.exit(1)
  })
}

/** Creates a function that turns pino's JSON into a line that is safe to display, even with hostile input. */
export function lineWriter(format: LogFormat): (line: string) => string {
  return format === 'json' ? escapeControlChars : toText
}

/** Characters that JSON leaves unescaped and that a terminal misreads. The joiners of names and emoji are not. */
const MISLEADING = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Escapes misleading characters, which in JSON occur only within strings. */
export function escapeControlChars(line: string): string {
  return line.replace(MISLEADING, character => {
    const code = character.charCodeAt(0).toString(16)
    return `\\u${code.padStart(4, '0')}`
  })
}

const PLAIN = /^[\w.:/@+-]+$/

/** Formats a log line as text, followed by an error's stack. */
function toText(line: string): string {
  const { level, time, pid: _, hostname: __, version: ___, err, msg = '', ...about } = JSON.parse(line)
  const name = level >= LEVELS.error ? 'error' : level >= LEVELS.warn ? 'warn ' : 'info '
  const fields = Object.entries(about).map(([key, value]) => ` ${key}=${shown(value)}`)
  const head = `${new Date(time).toISOString()} ${name} ${spelledOut(msg)}${fields.join('')}`
  const end = line.endsWith('\n') ? '\n' : ''
  if (!err) return head + end
  const { type, message, stack = `${type}: ${message}`, ...further }: SerializedError = err
  const rest = Object.keys(further).length > 0 ? [shown(further)] : []
  return [head, ...stack.split('\n').map(spelledOut), ...rest].join('\n    ') + end
}

function shown(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : escapeControlChars(JSON.stringify(value))
}

/** Escapes a text like a JSON string, except for quotes. */
export function spelledOut(text: string): string {
  return escapeControlChars(JSON.stringify(text).slice(1, -1)).replaceAll('\\"', '"')
}

interface SerializedError {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly code?: unknown
  readonly cause?: SerializedError
  [further: string]: unknown
}

/** Copies only these properties, because a database error may contain a row with a password hash. */
export function serializeError(error: Error): SerializedError {
  const { name, message, stack = '', cause } = error
  return {
    type: name,
    message,
    stack,
    ...('code' in error && { code: error.code }),
    ...(cause instanceof Error && { cause: serializeError(cause) }),
  }
}
