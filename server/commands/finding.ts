/** The result of one check: `WARN` is something an operator should know; only `FAIL` makes `./taps doctor` fail. */
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
