import { formatTime } from '../../contract/time.ts'

/** Formats a difference: "21 ms late", "1.24 s early", "right on time". */
export function describeDifference(ms: number): string {
  if (ms === 0) return 'right on time'
  const span = Math.abs(ms)
  return `${span < 1_000 ? `${span} ms` : `${formatTime(span)} s`} ${ms > 0 ? 'late' : 'early'}`
}
