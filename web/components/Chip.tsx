import { formatCountdown, formatTaps } from '../format.ts'
import { useNow } from './useNow.ts'

interface Props {
  taps: number
  /** When a guest's hold ends, by the page's clock in ms. */
  holdEndsAt: number | null
  onPress: () => void
}

/** What is held, as a link to claim mode. The remaining time is visual only: read out, it would interrupt every second. */
export function Chip({ taps, holdEndsAt, onPress }: Props) {
  const now = useNow()
  const name = `${formatTaps(taps)} TAPS to claim`
  const left = holdEndsAt === null ? undefined : formatCountdown(holdEndsAt - now)
  return (
    <button type="button" className="pill chip" aria-label={name} data-left={left} onClick={onPress}>
      {name}
    </button>
  )
}
