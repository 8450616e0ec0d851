import { formatCountdown, formatTaps } from '../format.ts'

/** From this time before its end on a hold is urgent, in ms. */
const URGENT_MS = 60_000

interface Props {
  taps: number
  /** How long a guest's hold lasts, in ms; null for a user's, which never ends. */
  leftMs: number | null
  onPress: () => void
}

/** What is held, as a link to claim mode. The remaining time is visual only: read out, it would interrupt every second. */
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
