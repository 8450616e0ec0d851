import { hostname } from 'node:os'
import { VERSION } from './lib/version.ts'

interface LogMethod {
  (fields: object, event: string): void
  (event: string): void
}

/** The logger of every part of the server, which Fastify makes. */
export type Logger = Readonly<Record<'info' | 'warn' | 'error', LogMethod>>

/** Which node wrote a line: those of several machines and releases may share one log. */
export const ORIGIN = { pid: process.pid, hostname: hostname(), version: VERSION } as const

/** The form of a line: text for people, or JSON for log collectors. */
export type LogFormat = 'text' | 'json'

/** pino's numbers. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const

/**
 * Logs what the person who starts the server must know, at any `LOG_LEVEL`.
 *
 * @param error the cause, when it is a fault of the program
 */
export function announce(level: keyof typeof LEVELS, sentence: string, error?: Error): void {
  const cause = error && { err: serializeError(error) }
  const line = { level: LEVELS[level], time: Date.now(), ...ORIGIN, ...cause, msg: sentence }
  // Read directly: the settings may not be checked yet, or be wrong.
  const { LOG_FORMAT } = process.env
  process.stdout.write(`${lineWriter(LOG_FORMAT === 'json' ? 'json' : 'text')(JSON.stringify(line))}\n`)
}

/** Writes to the log what Node would print itself: warnings, and the error that ends the process. */
export function logUncaughtErrors(): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => announce('warn', `${name}: ${message}`))
  process.on('uncaughtException', error => {
    announce('error', error.message, error)
    process.exit(1)
  })
}

/** Turns pino's line of JSON into the line of the log, safe to display whatever a stranger put into it. */
export function lineWriter(format: LogFormat): (line: string) => string {
  return format === 'json' ? escapeControlChars : toText
}

/** Characters that JSON leaves unescaped and that a terminal takes for a command, a line end or a change of direction. */
const MISLEADING = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/**
 * Escapes such characters in a line of JSON, where they can only be part of a text. JSON itself escapes those below
 * U+0020.
 */
export function escapeControlChars(line: string): string {
  return line.replace(MISLEADING, character => {
    const code = character.charCodeAt(0).toString(16)
    return `\\u${code.padStart(4, '0')}`
  })
}

/** Values written without quotes. */
const PLAIN = /^[\w.:/@+-]+$/

/** Time, level, sentence and fields in one line; below it the stack of an error, indented. */
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

/** Escaped as within the quotes of JSON, except for quotes. */
export function spelledOut(text: string): string {
  return escapeControlChars(JSON.stringify(text).slice(1, -1)).replaceAll('\\"', '"')
}

/** An error as it is logged. */
interface SerializedError {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly code?: unknown
  readonly cause?: SerializedError
  [further: string]: unknown
}

/** An error for the log, without further properties: one of the database carries the whole row, hashes included. */
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
