/** The result of one check: only `FAIL` makes `./taps doctor` fail. */
export interface CheckResult {
  readonly status: 'ok' | 'WARN' | 'FAIL'
  readonly message: string
}

export function ok(message: string): CheckResult {
  return { status: 'ok', message }
}

export function warn(message: string): CheckResult {
  return { status: 'WARN', message }
}

export function fail(message: string): CheckResult {
  return { status: 'FAIL', message }
}
