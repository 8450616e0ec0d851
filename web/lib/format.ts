import { formatDifference } from '../../contract/time.ts'

const THOUSANDS = /\B(?=(?:\d{3})+$)/g

/**
 * Formats a whole amount, such as "1,284". Avoids `Intl`, because the first formatter takes long to create on
 * a phone.
 */
export function formatTaps(taps: number): string {
  return String(taps).replace(THOUSANDS, ',')
}

/** Formats a rank, such as "18th" or "1,001st". */
export function formatOrdinal(rank: number): string {
  const isTeen = Math.floor(rank / 10) % 10 === 1
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][rank % 10] ?? 'th')
  return `${formatTaps(rank)}${ending}`
}

/** Formats 892,000 ms as "14:52". */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const AGES = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
]

/** Formats an age, such as "2 minutes ago". Returns "just now" for less than a minute. */
export function formatAgo(ms: number): string {
  const age = AGES.find(age => ms >= age.ms)
  if (age === undefined) return 'just now'
  const count = Math.floor(ms / age.ms)
  return `${count} ${age.unit}${count === 1 ? '' : 's'} ago`
}

/** Formats a difference: "0.021 s late", "1.240 s early", "right on time". */
export function describeDifference(ms: number): string {
  if (ms === 0) return 'right on time'
  return `${formatDifference(ms)} s ${ms > 0 ? 'late' : 'early'}`
}
