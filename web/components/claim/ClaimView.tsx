import { useEffect, useRef, useState } from 'react'
import type { User } from '../../../contract/api.ts'
import { TAPS_PER_ATTEMPT } from '../../../contract/rules.ts'
import { formatSigned, formatTime } from '../../../contract/time.ts'
import type { App } from '../../app.ts'
import { formatCountdown, formatTaps } from '../../lib/format.ts'
import { prizeTitle } from '../../lib/messages.ts'
import type { Problem } from '../../net/api.ts'
import { ignoreEarlyPresses } from '../../round/early-presses.ts'
import { IDLE, type RoundState, type Stopped } from '../../round/round.ts'
import { holdLeftMs, type PageSession } from '../../session/session.ts'
import { charsOf } from '../controls/chars.ts'
import { Form } from '../controls/Form.tsx'
import { Icon } from '../controls/IconButton.tsx'
import { Key } from '../controls/Key.tsx'
import { ShareButton } from '../controls/ShareButton.tsx'
import { useNow } from '../hooks/useNow.ts'
import { usePart } from '../hooks/useStore.ts'
import { ClaimForm } from './ClaimForm.tsx'

const CLOCK = 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M12 7.5V12l3 2'

interface Props {
  app: Pick<App, 'accounts' | 'game' | 'guests' | 'live' | 'myAttempts' | 'shown'>
  session: PageSession
  /** The end of a guest's hold, in ms since the page's time origin, or null. */
  holdEndsAt: number | null
  /** Whether the winning stage already shows the prize. */
  isStaged: boolean
}

export function ClaimView({ app, session, holdEndsAt, isStaged }: Props) {
  const { accounts, game, guests } = app
  const { prize, user } = session
  const now = useNow()
  const [wasUser, setWasUser] = useState(user !== null)
  if (user !== null && !wasUser) setWasUser(true)
  const [refused, setRefused] = useState<Problem | null>(null)
  const card = useRef<HTMLElement>(null)
  const leftMs = holdLeftMs(prize, holdEndsAt, now)
  const keepPlaying = () => game.show('main')
  // Keeps the problem here, because signing in removes the form before the claim can fail.
  const keepProblem = async (claiming: Promise<Problem | null>) => {
    const problem = await claiming
    setRefused(problem)
    return problem
  }
  const isPrizeGone = prize === null || (leftMs !== null && leftMs <= 0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first button changes with these values
  useEffect(() => {
    card.current?.querySelector<HTMLElement>('.claim-first')?.focus({ preventScroll: true })
  }, [isPrizeGone, user === null])
  useEffect(() => (card.current ? ignoreEarlyPresses(card.current) : undefined), [])

  return (
    <section className="claim" aria-labelledby="claim-title" ref={card}>
      {isPrizeGone && <NothingHeld loggedOut={user === null && wasUser} user={user} onGo={keepPlaying} />}
      {!isPrizeGone && !isStaged && <Won app={app} taps={prize.taps} leftMs={leftMs} />}
      {!isPrizeGone && user === null && (
        <>
          <ClaimForm
            game={game}
            submit={(how, credentials) => keepProblem(accounts.enterAndClaim(how, credentials))}
            taps={prize.taps}
            guestName={guests.guest.get().username}
          />
          <div className="strip strip--centre">
            <KeepPlaying isFirst onPress={keepPlaying} />
          </div>
        </>
      )}
      {!isPrizeGone && user !== null && (
        <Form
          submit={() => keepProblem(accounts.claim())}
          buttonLabel={`Claim ${formatTaps(prize.taps)} TAPS`}
          buttonClass="claim-first"
          describedBy="claim-title"
          problem={refused}
          other={<KeepPlaying onPress={keepPlaying} />}
        />
      )}
    </section>
  )
}

interface NothingHeldProps {
  /** Whether the user has logged out; the account still holds the prize. */
  loggedOut: boolean
  user: User | null
  onGo: () => void
}

function NothingHeld({ loggedOut, user, onGo }: NothingHeldProps) {
  return (
    <>
      <div className="stage stage--small">
        <h2 id="claim-title" className="form-title">
          {loggedOut ? 'You were logged out' : 'Your prize is no longer held'}
        </h2>
        <p className="claim-line" role="status">
          {whyNothingIsHeld(loggedOut, user)}
        </p>
      </div>
      <button type="button" className="primary claim-first" aria-describedby="claim-title" onClick={onGo}>
        <span>
          <span>Keep playing</span>
          <Key name="Space" />
        </span>
      </button>
    </>
  )
}

interface WonProps {
  app: Pick<App, 'live' | 'myAttempts' | 'shown'>
  taps: number
  /** The time until a guest's hold ends; null for a user. */
  leftMs: number | null
}

/** Shows the prize, its round and the time left to claim. */
function Won({ app, taps, leftMs }: WonProps) {
  const won = usePart(app.shown, ({ won }) => won)
  const round = usePart(app.shown, ({ round, won }) => (won === null ? IDLE : round))
  return (
    <div className="stage stage--small" data-won>
      <div className="prize">
        <p className="label claim-title">{prizeTitle(won, taps)}</p>
        {/* `aria-label` repeats the text, because WebKit drops the space between stacked elements. */}
        <h2
          id="claim-title"
          className="amount"
          style={charsOf(formatTaps(taps))}
          aria-label={`${formatTaps(taps)} TAPS`}
        >
          <span className="inked golden">{formatTaps(taps)}</span> <span className="unit">TAPS</span>
        </h2>
        {isWin(round) && (
          <p className="claim-round">
            <b>{`${formatTime(round.actualMs)} s`}</b> for <b>{`${formatTime(round.targetMs)} s`}</b>,{' '}
            <b>{formatSigned(round.judgement.differenceMs)} s</b>
          </p>
        )}
        <p className="claim-story">{describeStory(taps)}</p>
        {leftMs !== null && (
          <p className="claim-held">
            <Icon path={CLOCK} />
            held for you <b>{formatCountdown(leftMs)}</b>
          </p>
        )}
        {isWin(round) && <ShareButton result={round} won={won} live={app.live} myAttempts={app.myAttempts} />}
      </div>
    </div>
  )
}

/** Shows a button that returns to the game. The prize stays held. */
function KeepPlaying({ isFirst = false, onPress }: { isFirst?: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      className={isFirst ? 'link claim-first' : 'link'}
      aria-describedby={isFirst ? 'claim-title' : undefined}
      onClick={onPress}
    >
      <span>Keep playing</span>
      {isFirst && <Key name="Space" />}
    </button>
  )
}

function isWin(round: RoundState): round is Stopped {
  return round.phase === 'stopped' && round.judgement.wins
}

/** Every try adds one, so a prize of 24 TAPS was fed by 24 tries. */
function describeStory(taps: number): string {
  const tries = taps / TAPS_PER_ATTEMPT
  return `fed by ${formatTaps(tries)} ${tries === 1 ? 'try' : 'tries'}: every try adds ${TAPS_PER_ATTEMPT}`
}

function whyNothingIsHeld(loggedOut: boolean, user: User | null): string {
  if (loggedOut) return 'Log in again to claim what you have won.'
  return user === null
    ? 'The hold has ended, and the TAPS are back in the pool.'
    : 'You have already claimed all your TAPS.'
}
