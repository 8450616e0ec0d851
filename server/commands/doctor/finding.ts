/** `warn` is for what an operator should know of; only `fail` is not sound. */
export type Mark = 'ok' | 'warn' | 'fail'

/** What one check has found. */
export interface Finding {
  readonly mark: Mark
  /** One line. */
  readonly words: string
  /** For programs. */
  readonly data?: unknown
}

/** One look at something. */
export interface Check<Subject> {
  readonly name: string
  /** What it throws is the reason of a failure. */
  look(subject: Subject): Finding | Promise<Finding>
}

export function ok(words: string, data?: unknown): Finding {
  return { mark: 'ok', words, data }
}

export function warn(words: string, data?: unknown): Finding {
  return { mark: 'warn', words, data }
}

export function fail(words: string, data?: unknown): Finding {
  return { mark: 'fail', words, data }
}
