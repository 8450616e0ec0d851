import type { Prize } from '../../../contract/api.ts'
import type { GameProps } from '../../app.ts'
import { formatCountdown, formatTaps } from '../../lib/format.ts'
import { isCelebrating } from '../../round/game.ts'
import { holdLeftMs } from '../../session/session.ts'
import { usePart } from '../hooks/useStore.ts'
import { useNow } from '../hooks/useTime.ts'

const URGENT_MS = 60_000

/** Returns the prize that a chip offers to claim: none in claim mode, which shows the prize itself. */
export function useHeld({ app, session }: GameProps): Prize | null {
  const isClaiming = usePart(app.shown, game => game.view === 'claim' || isCelebrating(game))
  return isClaiming ? null : session.prize
}

/** Leads to claim mode, and shows how long the prize is still held. */
export function HoldChip({ app, session, held }: GameProps & { held: Prize }) {
  const leftMs = holdLeftMs(session, useNow())
  const name = `${formatTaps(held.taps)} TAPS to claim`
  return (
    <button
      type="button"
      className="pill chip"
      // Screen readers skip the countdown, which changes every second.
      aria-label={name}
      data-left={leftMs === null ? undefined : formatCountdown(leftMs)}
      data-urgent={leftMs !== null && leftMs <= URGENT_MS}
      onClick={() => app.game.show('claim')}
    >
      {name}
    </button>
  )
}
