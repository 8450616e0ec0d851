import { formatCountdown, formatTaps } from '../../lib/format.ts'

const URGENT_MS = 60_000

interface Props {
  taps: number
  /** The time until a guest's hold ends; null for a user. */
  leftMs: number | null
  onPress: () => void
}

/** Shows a button that opens claim mode. Screen readers skip the countdown, which changes every second. */
export function Chip({ taps, leftMs, onPress }: Props) {
  const name = `${formatTaps(taps)} TAPS to claim`
  return (
    <button
      type="button"
      className="pill chip"
      aria-label={name}
      data-left={leftMs === null ? undefined : formatCountdown(leftMs)}
      data-urgent={leftMs !== null && leftMs <= URGENT_MS}
      onClick={onPress}
    >
      {name}
    </button>
  )
}
