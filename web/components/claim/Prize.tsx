import { formatSigned, formatTime } from '../../../contract/time.ts'
import type { App } from '../../app.ts'
import { formatCountdown } from '../../lib/format.ts'
import { prizeTitle } from '../../messages.ts'
import { Icon } from '../controls/IconButton.tsx'
import { usePart } from '../hooks/useStore.ts'
import { PrizeHeading } from './PrizeHeading.tsx'
import { ShareButton } from './ShareButton.tsx'

const CLOCK = 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M12 7.5V12l3 2'

interface Props {
  app: App
  taps: number
  /** The time until a guest's hold ends; null for a user. */
  leftMs: number | null
}

/** Shows the prize, its round and the time left to claim. */
export function Prize({ app, taps, leftMs }: Props) {
  const won = usePart(app.shown, ({ won }) => won)
  const round = usePart(app.shown, ({ round }) => round)
  const result = won !== null && round.phase === 'stopped' ? round : null
  return (
    <div className="stage stage--small" data-won>
      <div className="prize">
        <p className="label claim-title">{prizeTitle(won, taps)}</p>
        <PrizeHeading taps={taps} />
        <div className="claim-facts">
          {result !== null && (
            <p className="claim-round">
              <b>{`${formatTime(result.actualMs)} s`}</b> for <b>{`${formatTime(result.targetMs)} s`}</b>,{' '}
              <b>{`${formatSigned(result.judgement.differenceMs)} s`}</b>
            </p>
          )}
          {leftMs !== null && (
            <p className="claim-held">
              <Icon path={CLOCK} />
              held for you <b>{formatCountdown(leftMs)}</b>
            </p>
          )}
        </div>
        {result !== null && <ShareButton app={app} result={result} won={won} />}
      </div>
    </div>
  )
}

export const EXPIRED = {
  title: 'Your prize is no longer held',
  why: 'The hold has ended, and the TAPS are back in the pool.',
}
export const CLAIMED = { ...EXPIRED, why: 'You have already claimed all your TAPS.' }
/** The account still holds the prize. */
export const LOGGED_OUT = { title: 'You were logged out', why: 'Log in again to claim what you have won.' }

/** Says why there is nothing to claim. */
export function NothingHeld({ loss: { title, why } }: { loss: typeof EXPIRED }) {
  return (
    <div className="stage stage--small">
      <h2 id="claim-title" className="form-title">
        {title}
      </h2>
      <p className="claim-line" role="status">
        {why}
      </p>
    </div>
  )
}
