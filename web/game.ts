import type { Claimed, Recorded } from '../contract/api.ts'
import type { NameCheck } from '../contract/name.ts'
import { ACTUAL_MAX_MS, TARGET_MAX_MS } from '../contract/rules.ts'
import type { Entrance } from './accounts.ts'
import { type Answer, pageProblem } from './api.ts'
import type { AttemptSender } from './attempt-sender.ts'
import { createGameStore, type GameState, type View } from './game-state.ts'
import type { GuestProfile } from './guest.ts'
import { MESSAGES } from './messages.ts'
import { IDLE, isDebounced, isWinSeen, type Running, start, stop, stopped } from './round.ts'
import type { PageSession, SessionKeeper } from './session.ts'
import type { Store } from './store.ts'
import { Submission } from './submission.ts'

interface Deps {
  readonly session: SessionKeeper
  readonly guests: Pick<GuestProfile, 'guest'>
  readonly sender: AttemptSender
  /** Checks a name in the page. The server checks the name again at Start. */
  readonly checkName: (raw: string) => NameCheck
  readonly alert: (message: string) => void
  readonly focusName: () => void
  /** Returns true when the device has just woken from sleep. */
  readonly slept: () => boolean
  readonly onRecorded: (recorded: Recorded) => void
}

/** Plays rounds, sends their attempts and follows changes to the session. */
export class Game {
  readonly #store = createGameStore()
  readonly #deps: Deps
  readonly #submission: Submission
  /** The ID of the user who started the last round; null for a guest. */
  #userId: number | null = null
  /** The time at which a round ended while the player may have been counting. */
  #cutOffAt = Number.NEGATIVE_INFINITY
  /** Stops the retries of a Start whose round is abandoned. */
  #startAbort = new AbortController()
  /** The state before the last Start. */
  #beforeStart: GameState | null = null

  constructor(deps: Deps) {
    this.#deps = deps
    this.#submission = new Submission(this.#store, { ...deps, cutOff: message => this.cutOff(message) })
    deps.session.state.subscribe(() => this.#followSession())
    deps.guests.guest.subscribe(() => this.#store.update({ nameProblem: null }))
  }

  get state(): Store<GameState> {
    return this.#store
  }

  /**
   * Starts or stops a round, or opens claim mode after a win.
   *
   * @param at - Time of the input event, in ms since the page's time origin.
   */
  readonly press = (at: number): void => {
    const { round, celebrating } = this.#store.get()
    if (celebrating) {
      if (isWinSeen(round, at)) this.show('claim')
      return
    }
    if (isDebounced(round, at)) return
    if (round.phase !== 'running') this.#begin(at)
    else if (!this.#deps.slept()) this.#end(round, at)
  }

  /**
   * Takes a Start back as if it had not happened. Has no effect once the round has ended.
   *
   * @param at - The time of the Start.
   */
  readonly takeBack = (at: number): void => {
    const { round } = this.#store.get()
    if (this.#beforeStart === null || round.phase !== 'running' || round.startedAt !== at) return
    this.#startAbort.abort()
    const { round: before, begun, message, won, claimed } = this.#beforeStart
    this.#store.update({ round: before, begun, message, won, claimed })
  }

  show(view: View, message?: string): void {
    if (view !== 'main') this.abandon(MESSAGES.interrupted)
    const { won, message: lastMessage } = this.#store.get()
    this.#store.update({
      view,
      message: message ?? lastMessage,
      claimed: null,
      celebrating: false,
      // An old win must not stay in view next to Start.
      ...(view === 'main' && won !== null && { round: IDLE, won: null }),
    })
  }

  showClaimed(claimed: Claimed): void {
    this.#store.update({ view: 'main', round: IDLE, won: null, claimed, celebrating: false })
  }

  chooseEntrance(how: Entrance): void {
    this.#store.update({ isNewAccount: how === 'createAccount' })
  }

  /** Ends a running round without a result. The next Start repeats the target. */
  abandon(message: string): void {
    if (this.#store.get().round.phase !== 'running') return
    this.#startAbort.abort()
    this.#store.update({ round: IDLE, message })
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
    this.#store.update({ round: stopped(pending.target_ms, pending.actual_ms), begun: true })
    this.#submission.send(pending)
  }

  /**
   * Runs a login, logout, claim or account change, while no round can start. First waits for an attempt in
   * flight, because the change may replace the player.
   *
   * @returns the answer of `change`, or a problem if the attempt takes too long
   */
  async changeAccount<Body>(change: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
    this.abandon(MESSAGES.interrupted)
    this.#store.update({ changing: true })
    const answer = (await this.#submission.settle())
      ? await change()
      : { ...pageProblem('unavailable'), title: MESSAGES.onItsWay }
    // Removes a message about the previous target, which would be wrong for a new player.
    if (answer.ok) this.#store.update({ message: null, nameProblem: null })
    this.#store.update({ changing: false })
    return answer
  }

  /** Clears the previous player's result. */
  forget(): void {
    this.#store.update({
      view: 'main',
      round: IDLE,
      message: null,
      won: null,
      claimed: null,
      celebrating: false,
    })
  }

  #begin(at: number): void {
    const { session } = this.#deps.session.state.get()
    const { sending, changing, message } = this.#store.get()
    if (session === null || sending || changing) return
    const check = this.#checkName(session)
    if (!check.ok) {
      this.#refuseName(check)
      return
    }
    const running = start(session.round, check.name, at)
    this.#userId = session.user?.id ?? null
    this.#beforeStart = this.#store.get()
    this.#store.update({
      round: running,
      begun: true,
      // A press that was meant as Stop must not hide why there was nothing to stop.
      message: at - this.#cutOffAt < TARGET_MAX_MS ? message : null,
      nameProblem: null,
      won: null,
      claimed: null,
    })
    setTimeout(() => {
      if (this.#isRunning(running)) this.cutOff(MESSAGES.tooLong)
    }, ACTUAL_MAX_MS)
    void this.#sendStart(running)
  }

  /** Accepts a user's name unchecked, because the browser's Unicode data may be older than the server's. */
  #checkName({ user }: PageSession): NameCheck {
    if (user) return { ok: true, name: user.username }
    return this.#deps.checkName(this.#deps.guests.guest.get().username)
  }

  #refuseName({ blank, problem }: Extract<NameCheck, { ok: false }>): void {
    this.#store.update({ nameProblem: problem })
    if (blank) this.#deps.alert(problem)
    this.#deps.focusName()
  }

  async #sendStart(running: Running): Promise<void> {
    this.#startAbort = new AbortController()
    const { round, username, startedAt } = running
    const body = { round: round.token, username }
    const answer = await this.#deps.sender.start(body, startedAt, this.#startAbort.signal)
    if (!answer.ok && this.#isRunning(running)) this.#submission.refuse(answer, round.token)
  }

  #isRunning(running: Running): boolean {
    return this.#store.get().round === running
  }

  #end(running: Running, at: number): void {
    const result = stop(running, at)
    if (result === null) {
      this.abandon(MESSAGES.tooLong)
      return
    }
    this.#store.update({ round: result, message: null })
    const { round, username } = running
    const { targetMs, actualMs } = result
    this.#submission.send({
      round: round.token,
      start: null,
      username,
      target_ms: targetMs,
      actual_ms: actualMs,
    })
  }

  /** Ends a running round that the session has replaced. */
  #followSession(): void {
    const { round } = this.#store.get()
    const { session } = this.#deps.session.state.get()
    if (round.phase !== 'running' || round.round.token === session?.round.token) return
    const isSamePlayer = (session?.user?.id ?? null) === this.#userId
    this.cutOff(isSamePlayer ? MESSAGES.overtaken : MESSAGES.elsewhere)
  }
}
