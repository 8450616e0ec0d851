const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** An amount with thousands separators: "1,284". */
export function formatTaps(taps: number): string {
  return whole.format(taps)
}

/** What is left of a span, in minutes and seconds: 892,000 ms is "14:52". */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
