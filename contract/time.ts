/** Conversions between seconds, as they are sent, and whole milliseconds, and how times are shown. */

/** Whole ms of a number of seconds that has at most 3 decimals. */
export function toMs(seconds: number): number {
  return Math.round(seconds * 1_000)
}

/** The number of seconds that prints as `ms` with at most 3 decimals. */
export function toSeconds(ms: number): number {
  return ms / 1_000
}

/** Seconds to 2 decimals, rounded half up: 3245 ms is "3.25". `ms` is a whole number ≥ 0. */
export function formatTime(ms: number): string {
  const hundredths = Math.floor((ms + 5) / 10)
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
}

/** Absolute seconds to 3 decimals: −38 ms is "0.038". */
export function formatDifference(ms: number): string {
  const distance = Math.abs(ms)
  return `${Math.floor(distance / 1_000)}.${String(distance % 1_000).padStart(3, '0')}`
}

/** Seconds to 3 decimals with a typographic sign: "+0.071", "−0.412", "±0.000". */
export function formatSigned(ms: number): string {
  const sign = ms > 0 ? '+' : ms < 0 ? '−' : '±'
  return `${sign}${formatDifference(ms)}`
}
