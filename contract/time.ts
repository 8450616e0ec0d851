export function toMs(seconds: number): number {
  return Math.round(seconds * 1_000)
}

export function toSeconds(ms: number): number {
  return ms / 1_000
}

/** Formats a time as seconds with 2 decimals, rounded half up: 3245 ms is "3.25". */
export function formatTime(ms: number): string {
  const hundredths = Math.floor((ms + 5) / 10)
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
}

/** Formats the absolute value as seconds: −38 ms is "0.038". */
export function formatDifference(ms: number): string {
  const distance = Math.abs(ms)
  return `${Math.floor(distance / 1_000)}.${String(distance % 1_000).padStart(3, '0')}`
}

/** Formats a difference as seconds with a sign: "+0.071", "−0.412", "±0.000". */
export function formatSigned(ms: number): string {
  const sign = ms > 0 ? '+' : ms < 0 ? '−' : '±'
  return `${sign}${formatDifference(ms)}`
}
