import type { Claimed, Recorded } from '../contract/api.ts'
import type { NameCheck } from '../contract/name.ts'
import { ACTUAL_MAX_MS } from '../contract/rules.ts'
import type { Entrance } from './accounts.ts'
import { type Answer, refusal } from './api.ts'
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
  /** The page's own check, for a quick word; the server judges every name at Start. */
  readonly checkName: (raw: string) => NameCheck
  readonly alert: (message: string) => void
  readonly focusName: () => void
  /** True when the device has just woken from sleep, which ends the run. */
  readonly slept: () => boolean
  readonly onRecorded: (recorded: Recorded) => void
}

/** Plays rounds: connects their rules with the session and the server. */
export class Game {
  readonly #store = createGameStore()
  readonly #deps: Deps
  readonly #submission: Submission
  /** The user who started the last run; null for a guest. */
  #userId: number | null = null
  /** Stops sending the last Start when its run is abandoned. */
  #givenUp = new AbortController()

  constructor(deps: Deps) {
    this.#deps = deps
    this.#submission = new Submission(this.#store, { ...deps, abandon: message => this.abandon(message) })
    deps.session.state.subscribe(() => this.#followSession())
    deps.guests.guest.subscribe(() => this.#store.update({ nameProblem: null }))
  }

  get state(): Store<GameState> {
    return this.#store
  }

  /** Start or Stop, by an input event at `at` (ms since the page began). */
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

  show(view: View, message?: string): void {
    if (view !== 'main') this.abandon(MESSAGES.interrupted)
    // A win that has been seen does not stand beside the next Start.
    if (view === 'main' && this.#store.get().won !== null) this.#store.update({ round: IDLE, won: null })
    this.#store.update({
      view,
      message: message ?? this.#store.get().message,
      claimed: null,
      celebrating: false,
    })
  }

  /** Returns to the game, which shows what was claimed instead of what was won. */
  showClaimed(claimed: Claimed): void {
    this.show('main')
    this.#store.update({ round: IDLE, won: null, claimed })
  }

  /** Notes how a guest in claim mode is about to claim. */
  chooseEntrance(how: Entrance): void {
    this.#store.update({ isNewAccount: how === 'createAccount' })
  }

  /** Ends a run without a result; its target stays to be played. */
  abandon(message: string): void {
    if (this.#store.get().round.phase !== 'running') return
    this.#givenUp.abort()
    this.#store.update({ round: IDLE, message })
  }

  /** Sends the attempt that an earlier page could not send. */
  resume(): void {
    const pending = this.#deps.sender.leftOver()
    if (pending === null) return
    this.#store.update({ round: stopped(pending.target_ms, pending.actual_ms), begun: true })
    this.#submission.send(pending)
  }

  /**
   * Changes who plays or what they have; no round starts meanwhile. An attempt on its way comes first, else the change is
   * refused: as another player's the attempt would not count, and what it won would be lost.
   */
  async changeAccount<Body>(change: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
    this.abandon(MESSAGES.interrupted)
    this.#store.update({ changing: true })
    const answer = (await this.#submission.settle())
      ? await change()
      : { ...refusal('unavailable'), title: MESSAGES.onItsWay }
    // A new player has another target: a line about the last run would promise the wrong one.
    if (answer.ok) this.#store.update({ message: null, nameProblem: null })
    this.#store.update({ changing: false })
    return answer
  }

  /** Clears what the new player must not see of the previous one. */
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
    const { sending, changing } = this.#store.get()
    if (session === null || sending || changing) return
    const check = this.#checkName(session)
    if (!check.ok) {
      this.#refuseName(check)
      return
    }
    const running = start(session.round, check.name, at)
    this.#userId = session.user?.id ?? null
    this.#store.update({
      round: running,
      begun: true,
      message: null,
      nameProblem: null,
      won: null,
      claimed: null,
    })
    setTimeout(() => {
      if (this.#isRunning(running)) this.abandon(MESSAGES.tooLong)
    }, ACTUAL_MAX_MS)
    void this.#sendStart(running)
  }

  /** A user's name was checked by the server at sign-up; this browser's Unicode data may be older. */
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
    this.#givenUp = new AbortController()
    const { round, username, startedAt } = running
    const body = { round: round.token, username }
    const answer = await this.#deps.sender.start(body, startedAt, this.#givenUp.signal)
    if (!answer.ok && this.#isRunning(running)) this.#submission.refuse(answer)
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

  /** A run was overtaken, here or elsewhere, when its round is no longer the session's. */
  #followSession(): void {
    const { round } = this.#store.get()
    const { session } = this.#deps.session.state.get()
    if (round.phase !== 'running' || round.round.token === session?.round.token) return
    const isSamePlayer = (session?.user?.id ?? null) === this.#userId
    this.abandon(isSamePlayer ? MESSAGES.overtaken : MESSAGES.elsewhere)
  }
}
