import type { FastifyBaseLogger } from 'fastify'

/** What every part of the server writes its log lines to: pino, by way of Fastify. */
export type Logger = FastifyBaseLogger

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
