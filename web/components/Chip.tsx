import { formatCountdown, formatTaps } from '../format.ts'

const URGENT_MS = 60_000

interface Props {
  taps: number
  /** The time left of a guest's hold; null for a user. */
  leftMs: number | null
  onPress: () => void
}

/** A button that opens claim mode. Screen readers skip the countdown, which would interrupt every second. */
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
