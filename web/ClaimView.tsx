import { useEffect, useRef, useState } from 'react'
import { formatDifference, formatTime } from '../contract/time.ts'
import type { Accounts } from './accounts.ts'
import type { Failure } from './api.ts'
import { ClaimForm } from './ClaimForm.tsx'
import { FormError } from './Credentials.tsx'
import { formatCountdown, formatTaps } from './format.ts'
import type { RoundState } from './round.ts'
import type { PageSession } from './session.ts'
import { useNow } from './useNow.ts'

interface Props {
  accounts: Accounts
  session: PageSession
  guestName: string
  round: RoundState
  /** When the hold of a guest ends, on the page's clock in ms. */
  holdEndsAt: number | null
  onKeepPlaying: () => void
}

/** Claim mode: what was won, and the way to it. */
export function ClaimView({ accounts, session, guestName, round, holdEndsAt, onKeepPlaying }: Props) {
  const { prize, user } = session
  const now = useNow()
  const heading = useRef<HTMLHeadingElement>(null)
  const leftMs = holdEndsAt === null ? null : holdEndsAt - now
  const isOver = prize === null || (leftMs !== null && leftMs <= 0)

  // The heading, not a button: whoever is still pressing Space must not claim or leave by accident.
  useEffect(() => heading.current?.focus(), [])

  if (isOver) {
    return (
      <section className="card claim" aria-labelledby="claim-title">
        <h2 id="claim-title" className="form-title" tabIndex={-1} ref={heading}>
          Nothing is held for you any more
        </h2>
        <p className="claim-line" role="status">
          {user === null
            ? 'The hold has ended, and the TAPS are back in the pool.'
            : 'All your TAPS are claimed.'}
        </p>
        <button type="button" className="primary" onClick={onKeepPlaying}>
          Keep playing
        </button>
      </section>
    )
  }

  return (
    <section className="card claim" data-won="true" aria-labelledby="claim-title">
      <p className="label">You won the pool</p>
      <h2 id="claim-title" className="claim-amount" tabIndex={-1} ref={heading}>
        <span>{formatTaps(prize.taps)}</span> <span className="unit">TAPS</span>
      </h2>
      <p className="claim-line">
        {describeRound(round)}
        {leftMs !== null && (
          <>
            Held for you for <span className="countdown">{formatCountdown(leftMs)}</span>.
          </>
        )}
      </p>
      {user === null ? (
        <ClaimForm accounts={accounts} taps={prize.taps} guestName={guestName} />
      ) : (
        <ClaimButton accounts={accounts} taps={prize.taps} />
      )}
      <button type="button" className="quiet" onClick={onKeepPlaying}>
        Keep playing, claim later
      </button>
    </section>
  )
}

function ClaimButton({ accounts, taps }: { accounts: Accounts; taps: number }) {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  const claim = async () => {
    setBusy(true)
    setFailure(await accounts.claim())
    setBusy(false)
  }
  return (
    <div className="form-body">
      <button type="button" className="primary" disabled={busy} onClick={claim}>
        Claim {formatTaps(taps)} TAPS
      </button>
      <FormError failure={failure} />
    </div>
  )
}

/** The round that won, while the page still has it. */
function describeRound(round: RoundState): string {
  if (round.phase !== 'stopped' || !round.judgement.wins) return ''
  const off = formatDifference(round.judgement.differenceMs)
  return `${formatTime(round.actualMs)} s for ${formatTime(round.targetMs)} s, ${off} s off. `
}
