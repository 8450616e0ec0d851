import { useEffect, useRef, useState } from 'react'
import { TAPS_PER_ATTEMPT } from '../../../contract/rules.ts'
import { formatSigned, formatTime } from '../../../contract/time.ts'
import type { App, GameProps } from '../../app.ts'
import { formatCountdown, formatTaps } from '../../lib/format.ts'
import { prizeTitle } from '../../messages.ts'
import type { Problem } from '../../net/api.ts'
import { ignoreEarlyPresses } from '../../round/early-presses.ts'
import { holdLeftMs } from '../../session/session.ts'
import { ErrorLine } from '../controls/Form.tsx'
import { Icon } from '../controls/IconButton.tsx'
import { ButtonLabel, Key } from '../controls/Key.tsx'
import { PrizeHeading } from '../controls/PrizeHeading.tsx'
import { ShareButton } from '../controls/ShareButton.tsx'
import { usePart } from '../hooks/useStore.ts'
import { useNow } from '../hooks/useTime.ts'
import { ClaimForm } from './ClaimForm.tsx'

const CLOCK = 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M12 7.5V12l3 2'

interface Props extends GameProps {
  /** Whether the winning stage already shows the prize. */
  isStaged: boolean
}

export function ClaimView({ app, session, isStaged }: Props) {
  const { accounts, game } = app
  const { prize, user } = session
  const [wasUser, setWasUser] = useState(user !== null)
  if (user !== null && !wasUser) setWasUser(true)
  /** Kept here, because signing in removes the guest's form before the claim can fail. */
  const [problem, setProblem] = useState<Problem | null>(null)
  const card = useRef<HTMLElement>(null)
  const leftMs = holdLeftMs(session, useNow())
  const held = prize?.taps ?? null
  const changing = usePart(app.shown, ({ changing }) => changing)
  const keepPlaying = () => game.show('main')

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first button changes, or is enabled again, with these values
  useEffect(() => {
    // Focuses after the press that opened claim mode has moved the focus.
    const timer = setTimeout(() =>
      card.current?.querySelector<HTMLElement>('.claim-first')?.focus({ preventScroll: true }),
    )
    return () => clearTimeout(timer)
  }, [held === null, user === null, user && problem])
  useEffect(() => (card.current ? ignoreEarlyPresses(card.current) : undefined), [])

  return (
    <section className="claim" aria-labelledby="claim-title" ref={card}>
      {held === null && (
        <NothingHeld loss={user !== null ? CLAIMED : wasUser ? LOGGED_OUT : EXPIRED} onGo={keepPlaying} />
      )}
      {held !== null && !isStaged && <Won app={app} taps={held} leftMs={leftMs} />}
      {held !== null && user === null && (
        <>
          <ClaimForm app={app} taps={held} problem={problem} onProblem={setProblem} />
          <div className="strip">
            <button
              type="button"
              className="link claim-first"
              aria-describedby="claim-title"
              onClick={keepPlaying}
            >
              <span>Keep playing</span>
              <Key name="Space" />
            </button>
          </div>
        </>
      )}
      {held !== null && user !== null && (
        <>
          <button
            type="button"
            className="primary claim-first"
            aria-describedby="claim-title"
            disabled={changing}
            onClick={async () => setProblem(await accounts.claim())}
          >
            <ButtonLabel text={`Claim ${formatTaps(held)} TAPS`} keyName="Space" />
          </button>
          <div className="strip">
            <ErrorLine problem={problem} />
            <button type="button" className="link" onClick={keepPlaying}>
              <span>Keep playing</span>
            </button>
          </div>
        </>
      )}
    </section>
  )
}

const EXPIRED = {
  title: 'Your prize is no longer held',
  why: 'The hold has ended, and the TAPS are back in the pool.',
}
const CLAIMED = { ...EXPIRED, why: 'You have already claimed all your TAPS.' }
/** The account still holds the prize. */
const LOGGED_OUT = { title: 'You were logged out', why: 'Log in again to claim what you have won.' }

function NothingHeld({ loss: { title, why }, onGo }: { loss: typeof EXPIRED; onGo: () => void }) {
  return (
    <>
      <div className="stage stage--small">
        <h2 id="claim-title" className="form-title">
          {title}
        </h2>
        <p className="claim-line" role="status">
          {why}
        </p>
      </div>
      <button type="button" className="primary claim-first" aria-describedby="claim-title" onClick={onGo}>
        <ButtonLabel text="Keep playing" keyName="Space" />
      </button>
    </>
  )
}

interface WonProps {
  app: App
  taps: number
  /** The time until a guest's hold ends; null for a user. */
  leftMs: number | null
}

/** Shows the prize, its round and the time left to claim. */
function Won({ app, taps, leftMs }: WonProps) {
  const won = usePart(app.shown, ({ won }) => won)
  const round = usePart(app.shown, ({ round }) => round)
  const result = won !== null && round.phase === 'stopped' ? round : null
  return (
    <div className="stage stage--small" data-won>
      <div className="prize">
        <p className="label claim-title">{prizeTitle(won, taps)}</p>
        <PrizeHeading taps={taps} />
        {result !== null && (
          <p className="claim-round">
            <b>{`${formatTime(result.actualMs)} s`}</b> for <b>{`${formatTime(result.targetMs)} s`}</b>,{' '}
            <b>{formatSigned(result.judgement.differenceMs)} s</b>
          </p>
        )}
        <p className="claim-story">{describeStory(taps)}</p>
        {leftMs !== null && (
          <p className="claim-held">
            <Icon path={CLOCK} />
            held for you <b>{formatCountdown(leftMs)}</b>
          </p>
        )}
        {result !== null && <ShareButton app={app} result={result} won={won} />}
      </div>
    </div>
  )
}

/** Every try adds one, so a prize of 24 TAPS was fed by 24 tries. */
function describeStory(taps: number): string {
  const tries = taps / TAPS_PER_ATTEMPT
  return `fed by ${formatTaps(tries)} ${tries === 1 ? 'try' : 'tries'}: every try adds ${TAPS_PER_ATTEMPT}`
}
