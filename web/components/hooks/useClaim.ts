import type { App } from '../../app.ts'
import type { Claim } from '../../live/rankings.ts'
import type { PageSession } from '../../session/session.ts'
import { usePart, useStore } from './useStore.ts'

/** Returns the claim that is offered or has just been made, or null. */
export function useClaim(
  { shown, guests }: Pick<App, 'shown' | 'guests'>,
  session: PageSession,
): Claim | null {
  const isOffered = usePart(
    shown,
    ({ view, isNewAccount }) => view === 'claim' && (isNewAccount || session.user !== null),
  )
  const claimed = usePart(shown, ({ claimed }) => claimed)
  const guest = useStore(guests.guest)
  const { username, taps_balance } = session.user ?? guest
  if (claimed !== null) {
    return { username: claimed.user.username, taps: claimed.user.taps_balance, isClaimed: true }
  }
  if (!isOffered || session.prize === null) return null
  return { username, taps: taps_balance + session.prize.taps, isClaimed: false }
}
