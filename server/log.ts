import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import { VERSION } from './lib/version.ts'

/** What every part of the server writes its log lines to: pino, by way of Fastify. */
export type Logger = FastifyBaseLogger

/** Whose line it is: nodes of several machines and releases may write into one log, in which the first names itself too. */
export const ORIGIN = { pid: process.pid, hostname: hostname(), version: VERSION } as const

/** What a line is written as: words for people, or JSON for what collects them. */
export type LogFormat = 'text' | 'json'

/** As pino numbers them. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const

/**
 * Says what whoever starts a server has to know, whatever `LOG_LEVEL` is.
 *
 * @param error what led to it, when that is ours to mend
 */
export function announce(level: keyof typeof LEVELS, sentence: string, error?: Error): void {
  const cause = error && { err: brief(error) }
  const line = { level: LEVELS[level], time: Date.now(), ...ORIGIN, ...cause, msg: sentence }
  // Before there are settings that are sure to be right.
  const { LOG_FORMAT } = process.env
  process.stdout.write(`${write(LOG_FORMAT === 'json' ? 'json' : 'text')(JSON.stringify(line))}\n`)
}

/** Has the log say what Node would say by itself: warnings, and the error that ends the process. */
export function logUncaughtErrors(): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => announce('warn', `${name}: ${message}`))
  process.on('uncaughtException', error => {
    announce('error', error.message, error)
    process.exit(1)
  })
}

/** Makes of a line of JSON what the log has, safe to look at, whatever a stranger had put into it. */
export function write(format: LogFormat): (line: string) => string {
  return format === 'json' ? escapeControlChars : toText
}

/** What JSON leaves as it is and a terminal or a viewer takes for a command, a line's end or a turn of direction. */
const MISLEADING = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/**
 * Makes a line of JSON safe to look at: in it such characters are always part of a text, where JSON may spell them
 * out. Line ends and escapes below U+0020 it spells out by itself.
 */
export function escapeControlChars(line: string): string {
  return line.replace(MISLEADING, character => {
    const code = character.charCodeAt(0).toString(16)
    return `\\u${code.padStart(4, '0')}`
  })
}

/** What needs no quotes. */
const PLAIN = /^[\w.:/@+-]+$/

/** Time, level, sentence and what belongs to it; the stack of an error in lines of its own, which begin with spaces. */
function toText(line: string): string {
  const { level, time, pid: _, hostname: __, version: ___, err, msg = '', ...about } = JSON.parse(line)
  const name = level >= LEVELS.error ? 'error' : level >= LEVELS.warn ? 'warn ' : 'info '
  const fields = Object.entries(about).map(([key, value]) => ` ${key}=${shown(value)}`)
  const head = `${new Date(time).toISOString()} ${name} ${spelledOut(msg)}${fields.join('')}`
  const end = line.endsWith('\n') ? '\n' : ''
  if (!err) return head + end
  const { type, message, stack = `${type}: ${message}`, ...further }: BriefError = err
  const rest = Object.keys(further).length > 0 ? [shown(further)] : []
  return [head, ...stack.split('\n').map(spelledOut), ...rest].join('\n    ') + end
}

function shown(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : escapeControlChars(JSON.stringify(value))
}

/** As it is within the quotes of JSON, but for quotes themselves. */
function spelledOut(text: string): string {
  return escapeControlChars(JSON.stringify(text).slice(1, -1)).replaceAll('\\"', '"')
}

/** An error as the log has it. */
interface BriefError {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly code?: unknown
  readonly cause?: BriefError
  [further: string]: unknown
}

/** What the log says of an error: one of the database would bring the whole row along, names and hashes included. */
export function brief(error: Error): BriefError {
  const { name, message, stack = '', cause } = error
  return {
    type: name,
    message,
    stack,
    ...('code' in error && { code: error.code }),
    ...(cause instanceof Error && { cause: brief(cause) }),
  }
}
