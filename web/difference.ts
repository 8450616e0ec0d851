import { formatTime } from '../contract/time.ts'

/** "21 ms late", "1.24 s early", "right on time". */
export function describeDifference(ms: number): string {
  if (ms === 0) return 'right on time'
  return `${describeSpan(Math.abs(ms))} ${ms > 0 ? 'late' : 'early'}`
}

/** "21 ms", "1.24 s". */
export function describeSpan(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${formatTime(ms)} s`
}
