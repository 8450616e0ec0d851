import { type RefObject, useEffect, useRef, useState } from 'react'
import type { App, GameProps } from '../../app.ts'
import { formatTaps } from '../../lib/format.ts'
import type { Problem } from '../../net/api.ts'
import { ignoreEarlyPresses } from '../../round/early-presses.ts'
import { holdLeftMs } from '../../session/session.ts'
import { ErrorLine } from '../controls/Form.tsx'
import { ButtonLabel } from '../controls/Key.tsx'
import { usePart } from '../hooks/useStore.ts'
import { useNow } from '../hooks/useTime.ts'
import { ClaimForm } from './ClaimForm.tsx'
import { CLAIMED, EXPIRED, LOGGED_OUT, NothingHeld, Prize } from './Prize.tsx'

interface Props extends GameProps {
  /** Whether the winning stage already shows the prize. */
  isStaged: boolean
}

/** Shows the prize and how to claim it, or why there is nothing to claim. */
export function ClaimView({ app, session, isStaged }: Props) {
  const { game } = app
  const { prize, user } = session
  const [wasUser, setWasUser] = useState(user !== null)
  if (user !== null && !wasUser) setWasUser(true)
  /** Kept here, because signing in removes the guest's form before the claim can fail. */
  const [problem, setProblem] = useState<Problem | null>(null)
  const leftMs = holdLeftMs(session, useNow())
  const view = useRef<HTMLElement>(null)
  const taps = prize?.taps ?? null
  useFocusOnFirst(view, `${taps === null} ${user === null} ${user && problem?.title}`)
  useEffect(() => {
    const { viewSince } = game.state.get()
    return view.current ? ignoreEarlyPresses(view.current, viewSince) : undefined
  }, [game])

  const claim = { app, problem, onProblem: setProblem }
  return (
    <section className="claim" aria-labelledby="claim-title" ref={view}>
      {taps === null && <NothingHeld loss={user !== null ? CLAIMED : wasUser ? LOGGED_OUT : EXPIRED} />}
      {taps === null && <KeepPlaying app={app} />}
      {taps !== null && !isStaged && <Prize app={app} taps={taps} leftMs={leftMs} />}
      {taps !== null && user === null && <GuestClaim {...claim} taps={taps} />}
      {taps !== null && user !== null && <UserClaim {...claim} taps={taps} />}
    </section>
  )
}

/**
 * Focuses the first button after the press that opened claim mode has moved the focus.
 *
 * @param reason - Changes when another button is the first one, or the first one is enabled again.
 */
function useFocusOnFirst(view: RefObject<HTMLElement | null>, reason: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: focuses again for each reason
  useEffect(() => {
    const timer = setTimeout(() =>
      view.current?.querySelector<HTMLElement>('.claim-first')?.focus({ preventScroll: true }),
    )
    return () => clearTimeout(timer)
  }, [view, reason])
}

interface ClaimProps {
  app: App
  /** The TAPS held. */
  taps: number
  problem: Problem | null
  onProblem: (problem: Problem | null) => void
}

/** Leads with "Keep playing", and with the form where nothing else was held before the win. */
function GuestClaim(claim: ClaimProps) {
  const { app, taps } = claim
  const isMore = usePart(app.shown, ({ won }) => won !== null && won < taps)
  return (
    <>
      <KeepPlaying app={app} isQuiet={!isMore} />
      <ClaimForm {...claim} isQuiet={isMore} />
    </>
  )
}

function UserClaim({ app, taps, problem, onProblem }: ClaimProps) {
  const changing = usePart(app.shown, ({ changing }) => changing)
  return (
    <>
      <button
        type="button"
        className="primary claim-first"
        aria-describedby="claim-title"
        disabled={changing}
        onClick={async () => onProblem(await app.accounts.claim())}
      >
        <ButtonLabel text={`Claim ${formatTaps(taps)} TAPS`} keyName="Space" />
      </button>
      <div className="below">
        <ErrorLine problem={problem} />
        <div className="strip">
          <button
            type="button"
            className="link"
            aria-describedby="claim-title"
            onClick={() => app.game.show('main')}
          >
            Keep playing
          </button>
        </div>
      </div>
    </>
  )
}

function KeepPlaying({ app, isQuiet = false }: { app: App; isQuiet?: boolean }) {
  return (
    <button
      type="button"
      className={isQuiet ? 'primary quiet claim-first keep' : 'primary claim-first keep'}
      aria-describedby="claim-title"
      onClick={() => app.game.show('main')}
    >
      <ButtonLabel text="Keep playing" keyName="Space" />
    </button>
  )
}
