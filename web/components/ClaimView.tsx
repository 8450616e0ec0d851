import { useEffect, useRef, useState } from 'react'
import type { User } from '../../contract/api.ts'
import { formatDifference, formatTime } from '../../contract/time.ts'
import type { Problem } from '../api.ts'
import type { App } from '../app.ts'
import { formatCountdown, formatTaps } from '../format.ts'
import type { MyAttempts } from '../my-attempts.ts'
import { IDLE, type RoundState } from '../round.ts'
import type { PageSession } from '../session.ts'
import { ClaimForm } from './ClaimForm.tsx'
import { Form } from './Form.tsx'
import { ShareButton } from './ShareButton.tsx'
import { useNow } from './useNow.ts'
import { usePart } from './useStore.ts'
import './ClaimView.css'

interface Props {
  app: Pick<App, 'accounts' | 'game' | 'guests' | 'myAttempts'>
  session: PageSession
  /** When the hold of a guest ends, on the page's clock in ms. */
  holdEndsAt: number | null
}

/** Claim mode: what was won, and the way to it. */
export function ClaimView({ app, session, holdEndsAt }: Props) {
  const { accounts, game, guests } = app
  const { prize, user } = session
  const round = usePart(game.state, ({ round, won }) => (won === null ? IDLE : round))
  const now = useNow()
  const [owned, setOwned] = useState(user !== null)
  if (user !== null && !owned) setOwned(true)
  const [refused, setRefused] = useState<Problem | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const leftMs = holdEndsAt === null ? null : holdEndsAt - now
  const keepPlaying = () => game.show('main')
  // Kept here, since a claim may fail after the form that asked for it has gone: a guest is signed in by then.
  const noting = async (claiming: Promise<Problem | null>) => {
    const problem = await claiming
    setRefused(problem)
    return problem
  }
  // The prize is still there, but for its account.
  const loggedOut = user === null && owned
  const isOver = prize === null || (leftMs !== null && leftMs <= 0)

  // The heading, not a button: a last press of Space must not claim or leave by accident.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another one when the hold is over
  useEffect(() => heading.current?.focus(), [isOver])

  if (isOver) {
    return (
      <section className="card form claim" aria-labelledby="claim-title">
        <h2 id="claim-title" className="form-title" tabIndex={-1} ref={heading}>
          {loggedOut ? 'You were logged out' : 'Nothing is held for you any more'}
        </h2>
        <p className="claim-line" role="status">
          {loggedOut
            ? 'Please log in again: what you have won waits for your account.'
            : whyNothingIsHeld(user)}
        </p>
        <button type="button" className="primary" onClick={keepPlaying}>
          Keep playing
        </button>
      </section>
    )
  }

  return (
    <section className="card form claim" data-won="true" aria-labelledby="claim-title">
      <div className="claim-won">
        <WinningResult round={round} myAttempts={app.myAttempts} />
        <p className="label">You won the pool</p>
        {/* A label, since WebKit leaves out the space between what stands one below the other. */}
        <h2
          id="claim-title"
          className="claim-amount"
          tabIndex={-1}
          ref={heading}
          aria-label={`${formatTaps(prize.taps)} TAPS`}
        >
          <span className="inked golden">{formatTaps(prize.taps)}</span> <span className="unit">TAPS</span>
        </h2>
        <p className="claim-line">
          {describeRound(round)}
          {leftMs !== null && (
            <>
              Held for you for <span>{formatCountdown(leftMs)}</span>.
            </>
          )}
        </p>
      </div>
      <div className="claim-way">
        {user === null ? (
          <ClaimForm
            submit={(how, credentials) => noting(accounts.enterAndClaim(how, credentials))}
            taps={prize.taps}
            guestName={guests.guest.get().username}
          />
        ) : (
          <Form
            submit={() => noting(accounts.claim())}
            verb={`Claim ${formatTaps(prize.taps)} TAPS`}
            problem={refused}
          />
        )}
        <button type="button" className="quiet" onClick={keepPlaying}>
          Keep playing, claim later
        </button>
      </div>
    </section>
  )
}

/** The result that won, small: what was seen a moment ago is still there. */
function WinningResult({ round, myAttempts }: { round: RoundState; myAttempts: MyAttempts }) {
  if (round.phase !== 'stopped' || !round.judgement.wins) return null
  const { closeness, message } = round.judgement.feedback
  return (
    <>
      <p className="claim-result" data-closeness={closeness}>
        <span className="inked">{message}</span>
      </p>
      <ShareButton result={round} myAttempts={myAttempts} />
    </>
  )
}

function whyNothingIsHeld(user: User | null): string {
  if (user !== null) return 'All your TAPS are claimed.'
  return 'The hold has ended, and the TAPS are back in the pool.'
}

/** The round that won, while the page still has it. */
function describeRound(round: RoundState): string {
  if (round.phase !== 'stopped' || !round.judgement.wins) return ''
  const off = formatDifference(round.judgement.differenceMs)
  return `${formatTime(round.actualMs)} s for ${formatTime(round.targetMs)} s, ${off} s off. `
}
