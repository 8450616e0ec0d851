import type { Claimed, PlayerRecord, Round, SignedIn } from '../../contract/api.ts'
import { createLatest } from '../lib/latest.ts'
import { createStore } from '../lib/store.ts'
import type { Recorded, Session } from '../net/answers.ts'
import type { Api, Problem } from '../net/api.ts'
import { persist, RETRY_LOST_ANSWERS } from '../net/retry.ts'

/** The session. The rank is `unknown` until `GET /api/session` returns the rank. */
export interface PageSession extends Omit<Session, 'rank' | 'record'> {
  readonly rank: Session['rank'] | 'unknown'
  /** The record over all rounds; undefined while unknown, as after a login. */
  readonly record?: PlayerRecord | undefined
  /** The end of a guest's hold, in ms since the page's time origin, or null. */
  readonly holdEndsAt: number | null
  /** The TAPS of a guest's hold that has just ended, or null. */
  readonly lostTaps: number | null
}

/** Why there is no session yet: the game cannot be reached, or too many people are joining from this address. */
export type Waiting =
  | 'unreachable'
  /** The time of the next try, in ms since the page's time origin. */
  | number

export interface SessionState {
  /** The session; null while loading. */
  readonly session: PageSession | null
  /** Why loading takes long, or null. Loading continues. */
  readonly waiting: Waiting | null
}

const LOADING: SessionState = { session: null, waiting: null }

/** The time for which the page shows that a hold has ended. */
const ENDED_SHOWN_MS = 5_000

/** The longest delay that a browser's timer supports. */
const MAX_TIMER_MS = 2 ** 31 - 1

export type SessionKeeper = ReturnType<typeof keepSession>

const UNTIL_ANSWERED = { tries: Number.POSITIVE_INFINITY, shouldRetry: () => true }

/** Keeps the player, their prize and the current round. */
export function keepSession(api: Pick<Api, 'session'>) {
  const { state, apply, changePart } = storeSession(refetch)
  /** Outdates the answers to earlier requests. */
  const supersede = createLatest()

  function change(part: Partial<PageSession>): void {
    supersede()
    changePart(part)
  }

  /** Requests the session until an answer arrives. */
  async function load(): Promise<void> {
    const onRetry = (_failures: number, { code }: Problem, delayMs: number) => {
      const isQueued = code === 'too_many_requests'
      state.set({ ...state.get(), waiting: isQueued ? performance.now() + delayMs : 'unreachable' })
    }
    const answer = await persist(api.session, { ...UNTIL_ANSWERED, onRetry })
    if (answer.ok) apply(answer.body)
  }

  /**
   * Requests the session again. Drops the answer if the session changes first.
   *
   * @param round - The round to keep for the same user, because a cache, or a browser without cookies, brings
   *   a round of another player.
   * @returns the new session, or null when there was no answer or the answer was dropped
   */
  async function refetch(round: Round | null = null): Promise<Session | null> {
    const isLatest = supersede()
    const answer = await persist(api.session, RETRY_LOST_ANSWERS)
    if (!answer.ok || !isLatest()) return null
    const { body } = answer
    const isSameUser = body.user?.id === state.get().session?.user?.id
    apply(round !== null && isSameUser ? { ...body, round } : body)
    return body
  }

  /** Requests the session after a logout. Shows the loading page when no answer arrives. */
  async function renew(): Promise<void> {
    supersede()
    const answer = await api.session()
    if (answer.ok) return apply(answer.body)
    state.set(LOADING)
    await load()
  }

  return {
    state,
    load,
    refetch,
    renew,
    signedIn: (body: SignedIn) => change({ ...body, rank: 'unknown', record: undefined }),
    recorded: ({ prize, round, record }: Recorded) => change({ prize, round, record }),
    claimed: ({ user }: Claimed) => change({ user, prize: null, rank: 'unknown' }),
    takeRound: (round: Round) => change({ round }),
  }
}

/**
 * Stores the session, and ends a guest's hold in time.
 *
 * @param onNoticed - Called when the page has shown long enough that a hold has ended.
 */
function storeSession(onNoticed: () => void) {
  const state = createStore(LOADING)
  let holdTimer: ReturnType<typeof setTimeout> | undefined

  function apply(session: Omit<PageSession, 'holdEndsAt' | 'lostTaps'>): void {
    clearTimeout(holdTimer)
    const heldMs = heldMsOf(session)
    if (heldMs !== null && heldMs <= MAX_TIMER_MS) holdTimer = setTimeout(endHold, heldMs)
    const holdEndsAt = heldMs === null ? null : performance.now() + heldMs
    state.set({ session: { ...session, holdEndsAt, lostTaps: null }, waiting: null })
  }

  function endHold(): void {
    const { session } = state.get()
    if (session === null || session.prize === null) return
    const ended = { prize: null, holdEndsAt: null, lostTaps: session.prize.taps }
    state.set({ session: { ...session, ...ended }, waiting: null })
    holdTimer = setTimeout(onNoticed, ENDED_SHOWN_MS)
  }

  /** Changes part of the session, once there is one. Only a change to the prize restarts the hold's timer. */
  function changePart(part: Partial<PageSession>): void {
    const { session } = state.get()
    if (session === null) return
    if ('prize' in part) apply({ ...session, ...part })
    else state.set({ session: { ...session, ...part }, waiting: null })
  }

  return { state, apply, changePart }
}

/**
 * Returns the time until the hold ends, in ms; null if there is no hold or the hold does not end.
 *
 * @param now - The current time, in ms since the page's time origin; may be older than the session.
 */
export function holdLeftMs(session: PageSession, now: number): number | null {
  const heldMs = heldMsOf(session)
  return heldMs === null || session.holdEndsAt === null ? null : Math.min(heldMs, session.holdEndsAt - now)
}

function heldMsOf({ prize }: Pick<PageSession, 'prize'>): number | null {
  return typeof prize?.held_seconds === 'number' ? prize.held_seconds * 1_000 : null
}
