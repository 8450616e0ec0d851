import type { Recorded } from '../contract/api.ts'
import { WIN_SHOWN_MS } from '../contract/rules.ts'
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
  /** Ends the run without a result. */
  readonly abandon: (message: string) => void
  readonly onRecorded: (recorded: Recorded) => void
}

/** How long a change of the player waits for the attempt in flight, in ms. */
const SETTLE_MS = 5_000

/** One failure is ordinary on a phone; after the second the player is told to wait. */
const FAILURES_BEFORE_MESSAGE = 2

/** Sends attempts to the server and brings its verdicts back into the game. */
export class Submission {
  readonly #store: GameStore
  readonly #deps: Deps
  /** Settles when the last attempt has been recorded or refused, or its answer made no sense. */
  #last: Promise<void> = Promise.resolve()

  constructor(store: GameStore, deps: Deps) {
    this.#store = store
    this.#deps = deps
  }

  send(pending: PendingAttempt): void {
    this.#store.update({ sending: true })
    this.#last = this.#submit(pending)
  }

  /** Waits for the attempt in flight; false when it still is after 5 s. */
  async settle(): Promise<boolean> {
    const timeout = new Promise(resolve => setTimeout(resolve, SETTLE_MS))
    await Promise.race([Promise.allSettled([this.#last]), timeout])
    return !this.#store.get().sending
  }

  /** The name was refused, or the round is not this player's: says so in one line and goes on with the next round. */
  refuse({ code, title, round }: Problem): void {
    this.#deps.abandon(title)
    const isOfName = code === 'bad_username' || code === 'blank_username'
    this.#store.update(isOfName ? { message: null, nameProblem: title } : { message: title })
    if (isOfName) this.#deps.focusName()
    if (round !== null) this.#deps.session.takeRound(round)
    void this.#deps.session.refetch()
  }

  async #submit(pending: PendingAttempt): Promise<void> {
    const answer = await this.#deps.sender.send(pending, failures => {
      if (failures >= FAILURES_BEFORE_MESSAGE) this.#store.update({ message: MESSAGES.retrying })
    })
    if (answer.ok) this.#record(answer.body)
    else {
      this.#store.update({ sending: false, message: null })
      this.refuse(answer)
    }
  }

  /** One change for all, so that a win never shows a Start that can be pressed. */
  #record(recorded: Recorded): void {
    const { reason, attempt } = recorded
    const message = reason === null ? null : MESSAGES[reason]
    const won = attempt.won_taps
    this.#deps.session.recorded(recorded)
    // Elsewhere, in login mode say, a win shows itself by its chip alone.
    const celebrating = won !== null && this.#store.get().view === 'main'
    this.#store.update({ sending: false, message, won, celebrating })
    if (celebrating) this.#openClaimLater()
    this.#deps.onRecorded(recorded)
  }

  /** Claim mode opens after a moment, unless the player has gone elsewhere. */
  #openClaimLater(): void {
    setTimeout(() => {
      if (this.#store.get().celebrating) this.#store.update({ view: 'claim', celebrating: false })
    }, WIN_SHOWN_MS)
  }
}
