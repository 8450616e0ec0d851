import { formatCountdown, formatTaps } from '../format.ts'
import { useNow } from './useNow.ts'

interface Props {
  taps: number
  /** When the hold of a guest ends, on the page's clock in ms. */
  holdEndsAt: number | null
  onPress: () => void
}

/** What is held, the way to it, and for the eye how long it is held yet: read out, that would be news every second. */
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
