import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import { VERSION } from './lib/version.ts'

/** What every part of the server writes its log lines to: pino, by way of Fastify. */
export type Logger = FastifyBaseLogger

/** Whose line it is: nodes of several machines and releases may write into one log, in which the first names itself too. */
export const ORIGIN = { pid: process.pid, hostname: hostname(), version: VERSION } as const

/** As pino numbers them. */
const LEVELS = { info: 30, warn: 40, fatal: 60 } as const

/**
 * Says what whoever starts a server has to know, whatever `LOG_LEVEL` is: a plain sentence for a person at a terminal, on
 * standard output or, for what is wrong, on standard error; elsewhere a line of the log.
 *
 * @param error what led to it, when that is ours to mend
 */
export function announce(level: keyof typeof LEVELS, sentence: string, error?: Error): void {
  if (process.stdout.isTTY) {
    const stream = level === 'info' ? process.stdout : process.stderr
    stream.write(`${error?.stack ?? sentence}\n`)
    return
  }
  const cause = error && { err: brief(error) }
  const line = { level: LEVELS[level], time: Date.now(), ...ORIGIN, ...cause, msg: sentence }
  process.stdout.write(`${legible(JSON.stringify(line))}\n`)
}

/** Has the log say what Node would say by itself: warnings, and the error that ends the process. */
export function announceStrays(): void {
  if (process.stdout.isTTY) return
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => announce('warn', `${name}: ${message}`))
  process.on('uncaughtException', error => {
    announce('fatal', error.message, error)
    process.exit(1)
  })
}

/** What JSON leaves as it is and a terminal or a viewer takes for a command, a line's end or a turn of direction. */
const MISLEADING = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/**
 * Makes a line of JSON safe to look at: in it such characters are always part of a text, where JSON may spell them
 * out. Line ends and escapes below U+0020 it spells out by itself.
 */
export function legible(line: string): string {
  return line.replace(MISLEADING, character => {
    const code = character.charCodeAt(0).toString(16)
    return `\\u${code.padStart(4, '0')}`
  })
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
