/** What one check has found; `WARN` is for what an operator should know of, and only `FAIL` is not sound. */
export interface Finding {
  readonly mark: 'ok' | 'WARN' | 'FAIL'
  /** One line. */
  readonly words: string
}

export function ok(words: string): Finding {
  return { mark: 'ok', words }
}

export function warn(words: string): Finding {
  return { mark: 'WARN', words }
}

export function fail(words: string): Finding {
  return { mark: 'FAIL', words }
}
