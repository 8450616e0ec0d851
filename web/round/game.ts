import type { Claimed, PrizePool } from '../../contract/api.ts'
import { checkName, type NameCheck } from '../../contract/name.ts'
import { ACTUAL_MAX_MS, TARGET_MAX_MS, WIN_SEEN_MS, WIN_SHOWN_MS } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import { createStore, type Store } from '../lib/store.ts'
import { MESSAGES } from '../messages.ts'
import type { Recorded } from '../net/answers.ts'
import { type Answer, type Entrance, type Problem, pageProblem } from '../net/api.ts'
import type { GuestProfile } from '../session/guest.ts'
import type { PageSession, SessionKeeper } from '../session/session.ts'
import { type Against, type Dare, withTaker } from './against.ts'
import type { AttemptSender } from './attempt-sender.ts'
import type { PendingAttempt } from './pending-attempt.ts'
import { IDLE, isDebounced, isWinSeen, type RoundState, type Running, start, stop, stopped } from './round.ts'

export type View = 'main' | 'login' | 'claim'

export interface GameState {
  readonly view: View
  /** When the view changed, in ms since the page's time origin. */
  readonly viewSince: number
  readonly round: RoundState
  /** The time at which the attempt in flight was stopped or resumed, in ms since the page's time origin; else null. */
  readonly sendingSince: number | null
  /** Whether a login, logout, claim or account change is in progress. */
  readonly changing: boolean
  readonly message: string | null
  /** The reason why the name was refused, or null. */
  readonly nameProblem: string | null
  /** The TAPS won by the result in view, or null. */
  readonly won: number | null
  /** What the result in view is compared with; null for one that does not count, or that an earlier visit has stopped. */
  readonly against: Against | null
  /** The latest claim until the next round, or null. */
  readonly claimed: Claimed | null
  /** Whether claim mode shows the form for a new account. */
  readonly isNewAccount: boolean
}

const INITIAL: GameState = {
  view: 'main',
  viewSince: 0,
  round: IDLE,
  sendingSince: null,
  changing: false,
  message: null,
  nameProblem: null,
  won: null,
  against: null,
  claimed: null,
  isNewAccount: true,
}

interface Deps {
  readonly session: SessionKeeper
  readonly guests: Pick<GuestProfile, 'guest'>
  readonly sender: AttemptSender
  /** The pool as the boards show it; null until received. */
  readonly pool: Pick<Store<PrizePool | null>, 'get' | 'subscribe'>
  readonly focusName: () => void
  /** Compares a verified result with a friend's, and ends the dare if the result is closer. */
  readonly meetDare: (differenceMs: number) => Dare | null
  readonly onRecorded: (recorded: Recorded) => void
  /** Called after an attempt was refused, whose round may have been played elsewhere. */
  readonly onRefused: () => void
}

/** The longest time that a login, logout or claim waits for an attempt in flight. */
const SETTLE_MS = 5_000

/** The number of failures before a message appears, because a single failure is common on phones. */
const FAILURES_BEFORE_MESSAGE = 2

/** Returns true while a win is in view, before claim mode opens. */
export function isCelebrating({ view, won }: GameState): boolean {
  return view === 'main' && won !== null
}

/** Plays rounds, sends their attempts and follows changes to the session. */
export class Game {
  readonly #store = createStore(INITIAL)
  /** The state for rules; components read what is shown. */
  readonly state: Store<GameState> = this.#store
  readonly #deps: Deps
  /** The ID of the user who started the last round; null for a guest. */
  #userId: number | null = null
  /** The time at which a round ended while the player may have been counting. */
  #cutOffAt = Number.NEGATIVE_INFINITY
  /** Ends a round that lasts too long. */
  #tooLong: ReturnType<typeof setTimeout> | undefined
  /** Stops the retries of a Start whose round is abandoned. */
  #startAbort = new AbortController()
  /** The state before the last Start. */
  #beforeStart: GameState | null = null
  /** The token of the round that the last refusal brought. */
  #brought: string | null = null
  /** Settles once the last attempt is recorded or refused. */
  #lastAttempt: Promise<void> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
    deps.session.state.subscribe(() => this.#followSession())
    deps.pool.subscribe(() => this.#followPool())
    deps.guests.guest.subscribe(() => this.#update({ nameProblem: null }))
  }

  /**
   * Starts or stops a round, or opens claim mode after a win.
   *
   * @param at - The instant of the press, in ms since the page's time origin.
   */
  readonly press = (at: number): void => {
    const { round } = this.#store.get()
    if (isCelebrating(this.#store.get())) {
      if (isWinSeen(round, at)) this.show('claim')
      return
    }
    if (isDebounced(round, at)) return
    if (round.phase !== 'running') this.#begin(at)
    else this.#end(round, at)
  }

  /**
   * Takes a Start back as if it had not happened. Has no effect once the round has ended.
   *
   * @param at - The instant of the Start.
   */
  readonly takeBack = (at: number): void => {
    const { round } = this.#store.get()
    if (this.#beforeStart === null || round.phase !== 'running' || round.startedAt !== at) return
    clearTimeout(this.#tooLong)
    this.#startAbort.abort()
    const { round: before, message, claimed } = this.#beforeStart
    this.#update({ round: before, message, claimed })
  }

  show(view: View, message?: string): void {
    if (view !== 'main') this.abandon(MESSAGES.interrupted)
    const { won, message: lastMessage } = this.#store.get()
    this.#update({
      view,
      message: message ?? lastMessage,
      claimed: null,
      // An old win must not stay in view next to Start.
      ...(view === 'main' && won !== null && { round: IDLE, won: null }),
    })
  }

  /** Shows an idle main view, after a claim or for another player. */
  startOver(part: Partial<Pick<GameState, 'claimed' | 'message'>>): void {
    this.#update({ view: 'main', round: IDLE, message: null, won: null, claimed: null, ...part })
  }

  chooseEntrance(how: Entrance): void {
    this.#update({ isNewAccount: how === 'createAccount' })
  }

  /** Ends a running round without a result. The next Start repeats the target. */
  abandon(message: string): void {
    if (this.#store.get().round.phase !== 'running') return
    clearTimeout(this.#tooLong)
    this.#startAbort.abort()
    this.#update({ round: IDLE, message })
  }

  /** Ends a running round while the player may still be counting, so the next press may be meant as Stop. */
  cutOff(message: string): void {
    if (this.#store.get().round.phase === 'running') this.#cutOffAt = performance.now()
    this.abandon(message)
  }

  /** Shows and sends the attempt that is not yet recorded, if any. */
  resume(): void {
    const pending = this.#deps.sender.leftOver()
    if (pending === null) return
    this.#update({ round: stopped(pending.target_ms, pending.actual_ms), against: null })
    this.#send(pending, performance.now())
  }

  /**
   * Runs a login, logout, claim or account change, while no round can start. First waits for an attempt in
   * flight, because the change may replace the player.
   *
   * @returns the answer of `change`, or a problem if the attempt takes too long
   */
  async changeAccount<Body>(change: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
    this.abandon(MESSAGES.interrupted)
    this.#update({ changing: true })
    const answer = (await this.#settle()) ? await change() : pageProblem('unavailable', MESSAGES.onItsWay)
    // Removes a message about the previous target, which would be wrong for a new player.
    if (answer.ok) this.#update({ message: null, nameProblem: null })
    this.#update({ changing: false })
    return answer
  }

  #begin(at: number): void {
    const { session } = this.#deps.session.state.get()
    const { sendingSince, changing, message } = this.#store.get()
    if (session === null || sendingSince !== null || changing) return
    const check = this.#nameOf(session)
    if (!check.ok) {
      this.#refuseName(check)
      return
    }
    const running = start(session.round, check.name, at)
    this.#userId = session.user?.id ?? null
    this.#beforeStart = this.#store.get()
    this.#update({
      round: running,
      // A press that was meant as Stop must not hide why there was nothing to stop.
      message: at - this.#cutOffAt < TARGET_MAX_MS ? message : null,
      nameProblem: null,
      claimed: null,
    })
    this.#tooLong = setTimeout(() => this.cutOff(MESSAGES.tooLong), ACTUAL_MAX_MS)
    void this.#sendStart(running)
  }

  /** Accepts a user's name unchecked, because the browser's Unicode data may be older than the server's. */
  #nameOf({ user }: PageSession): NameCheck {
    if (user) return { ok: true, name: user.username }
    return checkName(this.#deps.guests.guest.get().username)
  }

  #refuseName({ blank, problem }: Extract<NameCheck, { ok: false }>): void {
    this.#update({ nameProblem: problem })
    if (blank) alert(problem)
    this.#deps.focusName()
  }

  async #sendStart(running: Running): Promise<void> {
    this.#startAbort = new AbortController()
    const { round, username, startedAt } = running
    const { signal } = this.#startAbort
    const answer = await this.#deps.sender.start({ round: round.token, username }, startedAt, signal)
    if (!answer.ok && this.#store.get().round === running) this.#refuse(answer, round.token)
  }

  #end(running: Running, at: number): void {
    const result = stop(running, at)
    if (result === null) {
      this.abandon(MESSAGES.tooLong)
      return
    }
    clearTimeout(this.#tooLong)
    this.#update({ round: result, message: null, against: this.#againstAtStop() })
    const { round, username } = running
    const { targetMs, actualMs } = result
    const times = { target_ms: targetMs, actual_ms: actualMs }
    const rounds = this.#deps.session.state.get().session?.record?.rounds ?? null
    this.#send({ round: round.token, start: null, username, ...times, rounds }, at)
  }

  #againstAtStop(): Against {
    const best = this.#deps.session.state.get().session?.record?.best ?? null
    const bestBeforeMs = best === null ? null : toMs(best)
    return { bestBeforeMs, dare: null, poolAtStop: this.#deps.pool.get(), taker: null }
  }

  /** Ends a running round that the session has replaced. */
  #followSession(): void {
    const { round } = this.#store.get()
    const { session } = this.#deps.session.state.get()
    if (round.phase !== 'running' || round.round.token === session?.round.token) return
    const isSamePlayer = (session?.user?.id ?? null) === this.#userId
    this.cutOff(isSamePlayer ? MESSAGES.overtaken : MESSAGES.elsewhere)
  }

  #followPool(): void {
    const { against } = this.#store.get()
    const now = against && withTaker(against, this.#deps.pool.get())
    if (now !== against) this.#update({ against: now })
  }

  #send(pending: PendingAttempt, sendingSince: number): void {
    this.#update({ sendingSince })
    this.#lastAttempt = this.#submit(pending)
  }

  /** Waits for the attempt in flight. Resolves to false if the wait exceeds `SETTLE_MS`. */
  async #settle(): Promise<boolean> {
    const timeout = new Promise(resolve => setTimeout(resolve, SETTLE_MS))
    await Promise.race([Promise.allSettled([this.#lastAttempt]), timeout])
    return this.#store.get().sendingSince === null
  }

  /**
   * Ends a running round, shows the problem, and plays the round that the refusal brought.
   *
   * @param token - The refused round.
   */
  #refuse({ code, title, round }: Problem, token: string): void {
    // A browser that was given a round, and then counts as another player, sends no cookie.
    const lacksCookie = code === 'stale_round' && token === this.#brought
    this.#brought = round?.token ?? null
    const message = lacksCookie ? MESSAGES.cookies : title
    this.cutOff(message)
    const isAboutName = code === 'bad_username' || code === 'blank_username'
    this.#update(isAboutName ? { message: null, nameProblem: title } : { message })
    if (isAboutName) this.#deps.focusName()
    if (round !== null) this.#deps.session.takeRound(round)
    void this.#deps.session.refetch(round)
  }

  async #submit(pending: PendingAttempt): Promise<void> {
    const answer = await this.#deps.sender.send(pending, failures => {
      if (failures < FAILURES_BEFORE_MESSAGE) return
      const isSaved = this.#deps.sender.leftOver()?.round === pending.round
      this.#update({ message: isSaved ? MESSAGES.retrying : MESSAGES.notSaved })
    })
    if (answer.ok) this.#record(answer.body)
    else {
      this.#update({ sendingSince: null, message: null, against: null })
      const problem = answer.code === 'stranger' ? { ...answer, title: MESSAGES.unanswered } : answer
      this.#refuse(problem, pending.round)
      this.#deps.onRefused()
    }
  }

  /** Updates the game in one step, so that Start is never enabled during a win. */
  #record(recorded: Recorded): void {
    const { reason, attempt } = recorded
    // A newer server may know further reasons.
    const message = (reason && MESSAGES[reason]) ?? null
    const won = attempt.won_taps
    this.#deps.session.recorded(recorded)
    const { against: atStop } = this.#store.get()
    const against =
      reason === null && atStop ? { ...atStop, dare: this.#deps.meetDare(toMs(attempt.difference)) } : null
    this.#update({ sendingSince: null, message, won, against })
    // Outside the main view, only the chip shows the win.
    if (isCelebrating(this.#store.get())) this.#openClaimLater()
    this.#deps.onRecorded(recorded)
  }

  /** Opens claim mode `WIN_SHOWN_MS` after Stop, but not within `WIN_SEEN_MS` of the answer. */
  #openClaimLater(): void {
    const { round } = this.#store.get()
    const sinceStopMs = round.phase === 'stopped' ? Math.max(0, performance.now() - round.stoppedAt) : 0
    const open = () => {
      if (isCelebrating(this.#store.get())) this.#update({ view: 'claim' })
    }
    setTimeout(open, Math.max(WIN_SHOWN_MS - sinceStopMs, WIN_SEEN_MS))
  }

  #update(part: Partial<GameState>): void {
    const last = this.#store.get()
    const viewSince = (part.view ?? last.view) === last.view ? last.viewSince : performance.now()
    this.#store.set({ ...last, viewSince, ...part })
  }
}
