import type { Recorded } from '../contract/api.ts'
import { WIN_SEEN_MS, WIN_SHOWN_MS } from '../contract/rules.ts'
import type { Problem } from './api.ts'
import type { AttemptSender } from './attempt-sender.ts'
import type { GameStore } from './game-state.ts'
import { MESSAGES } from './messages.ts'
import type { PendingAttempt } from './pending-attempt.ts'
import type { SessionKeeper } from './session.ts'

interface Deps {
  readonly session: SessionKeeper
  readonly sender: Pick<AttemptSender, 'send'>
  readonly focusName: () => void
  readonly cutOff: (message: string) => void
  readonly onRecorded: (recorded: Recorded) => void
}

/** The longest time that a login, logout or claim waits for an attempt in flight. */
const SETTLE_MS = 5_000

/** The number of failures before a message appears, because a single failure is common on phones. */
const FAILURES_BEFORE_MESSAGE = 2

/** Sends attempts and applies their results to the game. */
export class Submission {
  readonly #store: GameStore
  readonly #deps: Deps
  /** The token of the round that the last refusal brought. */
  #brought: string | null = null
  /** Settles once the last attempt is recorded or refused. */
  #last: Promise<void> = Promise.resolve()

  constructor(store: GameStore, deps: Deps) {
    this.#store = store
    this.#deps = deps
  }

  send(pending: PendingAttempt): void {
    this.#store.update({ sending: true })
    this.#last = this.#submit(pending)
  }

  /** Waits for the attempt in flight. Resolves to false if the wait exceeds `SETTLE_MS`. */
  async settle(): Promise<boolean> {
    const timeout = new Promise(resolve => setTimeout(resolve, SETTLE_MS))
    await Promise.race([Promise.allSettled([this.#last]), timeout])
    return !this.#store.get().sending
  }

  /**
   * Ends a running round, shows the problem, and plays the round that the refusal brought.
   *
   * @param token - The refused round.
   */
  refuse({ code, title, round }: Problem, token: string): void {
    // A browser that was given a round, and then counts as another player, sends no cookie.
    const lacksCookie = code === 'stale_round' && token === this.#brought
    this.#brought = round?.token ?? null
    const message = lacksCookie ? MESSAGES.cookies : title
    this.#deps.cutOff(message)
    const isAboutName = code === 'bad_username' || code === 'blank_username'
    this.#store.update(isAboutName ? { message: null, nameProblem: title } : { message })
    if (isAboutName) this.#deps.focusName()
    if (round !== null) this.#deps.session.takeRound(round)
    void this.#deps.session.refetch(round)
  }

  async #submit(pending: PendingAttempt): Promise<void> {
    const answer = await this.#deps.sender.send(pending, failures => {
      if (failures >= FAILURES_BEFORE_MESSAGE) this.#store.update({ message: MESSAGES.retrying })
    })
    if (answer.ok) this.#record(answer.body)
    else {
      this.#store.update({ sending: false, message: null })
      const problem = answer.code === 'stranger' ? { ...answer, title: MESSAGES.unanswered } : answer
      this.refuse(problem, pending.round)
    }
  }

  /** Updates the game in one step, so that Start is never enabled during a win. */
  #record(recorded: Recorded): void {
    const { reason, attempt } = recorded
    // A newer server may know further reasons.
    const message = (reason && MESSAGES[reason]) ?? null
    const won = attempt.won_taps
    this.#deps.session.recorded(recorded)
    // Outside the main view, only the chip shows the win.
    const celebrating = won !== null && this.#store.get().view === 'main'
    this.#store.update({ sending: false, message, won, celebrating })
    if (celebrating) this.#openClaimLater()
    this.#deps.onRecorded(recorded)
  }

  /** Opens claim mode `WIN_SHOWN_MS` after Stop, but not within `WIN_SEEN_MS` of the answer. */
  #openClaimLater(): void {
    const { round } = this.#store.get()
    const sinceStopMs = round.phase === 'stopped' ? Math.max(0, performance.now() - round.stoppedAt) : 0
    const open = () => {
      if (this.#store.get().celebrating) this.#store.update({ view: 'claim', celebrating: false })
    }
    setTimeout(open, Math.max(WIN_SHOWN_MS - sinceStopMs, WIN_SEEN_MS))
  }
}
