import type { Recorded } from '../contract/api.ts'
import type { NameCheck } from '../contract/name.ts'
import { ACTUAL_MAX_MS, WIN_SHOWN_MS } from '../contract/rules.ts'
import type { Answer, Problem } from './api.ts'
import type { GuestBook } from './guest.ts'
import { MESSAGES } from './messages.ts'
import type { CheckName } from './name-check.ts'
import type { Outbox } from './outbox.ts'
import { IDLE, isSlip, type RoundState, type Running, start, stop, stopped } from './round.ts'
import type { SessionKeeper } from './session.ts'
import { createStore, type Store } from './store.ts'
import type { Unsent } from './unsent.ts'

export type View = 'main' | 'login' | 'claim'

export interface GameState {
  readonly view: View
  readonly round: RoundState
  /** An attempt is on its way: the next round comes with its answer. */
  readonly sending: boolean
  /** A login, a logout or a claim is on its way: who plays, or what they have, is about to be another. */
  readonly changing: boolean
  /** What the player should know, in one plain line. */
  readonly message: string | null
  /** What is wrong with the name in its field, in words. */
  readonly nameProblem: string | null
  /** A round has begun on this page. */
  readonly begun: boolean
  /** The TAPS that the result in view has won; null for none. */
  readonly won: number | null
}

/** What the game remembers besides what it shows. */
interface State extends GameState {
  /** The account that the last run was started under; null for a guest. */
  readonly account: number | null
  /** A win is in view, and claim mode about to come by itself: a press would only wipe it out. */
  readonly celebrating: boolean
  /** Ends the sending of the last Start when its run is abandoned. */
  readonly givenUp: AbortController
  /** Done when the last attempt has been recorded or refused. */
  readonly delivery: Promise<void>
  /** Counts changes of player, so that a late answer to the previous one is known for what it is. */
  readonly player: number
}

export interface Game {
  readonly state: Store<GameState>
  /** Start or Stop, by an input event at `at` (ms since the page began); a slip of the hand is neither. */
  press(at: number): void
  show(view: View, message?: string): void
  /** Ends a run without a result; its target stays to be played. */
  abandon(message: string): void
  /** Takes up the attempt that an earlier page could not send. */
  resume(): void
  /** Changes who plays, or what they have: first settles the attempt on its way, and lets no round start meanwhile. */
  changeAccount<Body>(change: () => Promise<Answer<Body>>): Promise<Answer<Body>>
  /** A new player sees nothing of the one before. */
  forget(): void
}

interface Deps {
  readonly session: SessionKeeper
  readonly guests: Pick<GuestBook, 'guest'>
  readonly outbox: Outbox
  readonly checkName: CheckName
  readonly alert: (message: string) => void
  readonly focusName: () => void
  /** True when the device has just slept, which has ended the run. */
  readonly slept: () => boolean
  readonly onRecorded: (recorded: Recorded) => void
}

/** How long a login, a logout or a claim waits for an attempt that is on its way, in ms. */
const SETTLE_MS = 5_000

/** One failure is ordinary on a phone; a second one means a wait that is worth a line. */
const FAILURES_BEFORE_MESSAGE = 2

/** Plays rounds: joins their rules with the session and the server. */
export function createGame({ session, guests, outbox, onRecorded, ...page }: Deps): Game {
  const state = createStore<State>({
    view: 'main',
    round: IDLE,
    sending: false,
    changing: false,
    message: null,
    nameProblem: null,
    begun: false,
    won: null,
    celebrating: false,
    account: null,
    givenUp: new AbortController(),
    delivery: Promise.resolve(),
    player: 0,
  })
  const update = (part: Partial<State>) => state.set({ ...state.get(), ...part })

  function begin(at: number): void {
    const { session: current } = session.state.get()
    const { sending, changing } = state.get()
    if (current === null || sending || changing) return
    const { user } = current
    // An account's was judged when it was made, by the server's Unicode: this browser's may be older.
    const check: NameCheck = user
      ? { ok: true, name: user.username }
      : page.checkName(guests.guest.get().username)
    if (!check.ok) {
      refuseName(check)
      return
    }

    const running = start(current.round, check.name, at)
    const isRunning = () => state.get().round === running
    const givenUp = new AbortController()
    update({
      round: running,
      account: user?.id ?? null,
      givenUp,
      begun: true,
      message: null,
      nameProblem: null,
      won: null,
    })
    setTimeout(() => {
      if (isRunning()) abandon(MESSAGES.tooLong)
    }, ACTUAL_MAX_MS)
    const { round, username } = running
    void outbox.start({ round: round.token, username }, givenUp.signal).then(answer => {
      if (!answer.ok && isRunning()) refuse(answer)
    })
  }

  function refuseName({ blank, problem }: Extract<NameCheck, { ok: false }>): void {
    update({ nameProblem: problem })
    if (blank) page.alert(problem)
    page.focusName()
  }

  function end(running: Running, at: number): void {
    const result = stop(running, at)
    if (result === null) {
      abandon(MESSAGES.tooLong)
      return
    }
    update({ round: result, message: null })
    const { round, username } = running
    const { targetMs, actualMs } = result
    send({ round: round.token, start: null, username, target_ms: targetMs, actual_ms: actualMs })
  }

  function send(unsent: Unsent): void {
    const { player } = state.get()
    const onRetry = (failures: number) => {
      if (failures >= FAILURES_BEFORE_MESSAGE) update({ message: MESSAGES.retrying })
    }
    const delivery = outbox.send(unsent, onRetry).then(answer => {
      update({ sending: false })
      if (player !== state.get().player) return settleForEarlier(answer)
      update({ message: null })
      return answer.ok ? record(answer.body) : refuse(answer)
    })
    update({ sending: true, delivery })
  }

  /** Nothing of it is for the player who came meanwhile, but that it does not count. */
  function settleForEarlier(answer: Answer<Recorded>): Promise<void> {
    if (!answer.ok) update({ message: answer.title })
    return session.refetch()
  }

  function record(recorded: Recorded): void {
    const { reason, attempt } = recorded
    session.recorded(recorded)
    if (reason !== null) update({ message: MESSAGES[reason] })
    if (attempt.won_taps !== null) showWin(attempt.won_taps)
    onRecorded(recorded)
  }

  /** Lets the result be seen before claim mode takes its place, unless the player goes elsewhere meanwhile. */
  function showWin(won: number): void {
    const celebrating = state.get().view === 'main'
    update({ won, celebrating })
    if (!celebrating) return
    setTimeout(() => {
      if (state.get().celebrating) update({ view: 'claim', celebrating: false })
    }, WIN_SHOWN_MS)
  }

  /** The name may not be used, or the round is not ours to play: says so in one line and goes on with the next. */
  function refuse({ code, title, round }: Problem): void {
    abandon(title)
    const isOfName = code === 'bad_username' || code === 'blank_username'
    update(isOfName ? { message: null, nameProblem: title } : { message: title })
    if (isOfName) page.focusName()
    if (round !== null) session.takeRound(round)
    void session.refetch()
  }

  function abandon(message: string): void {
    const { round, givenUp } = state.get()
    if (round.phase !== 'running') return
    givenUp.abort()
    update({ round: IDLE, message })
  }

  session.state.subscribe(() => {
    const { round, account } = state.get()
    const { session: current } = session.state.get()
    if (round.phase !== 'running' || round.round.token === current?.round.token) return
    abandon((current?.user?.id ?? null) === account ? MESSAGES.overtaken : MESSAGES.elsewhere)
  })

  guests.guest.subscribe(() => update({ nameProblem: null }))

  return {
    state,
    abandon,
    press(at) {
      const { round, celebrating } = state.get()
      if (celebrating || isSlip(round, at)) return
      if (round.phase !== 'running') return begin(at)
      if (!page.slept()) end(round, at)
    },
    show(view, message) {
      if (view !== 'main') abandon(MESSAGES.interrupted)
      update({ view, message: message ?? state.get().message, celebrating: false })
    },
    resume() {
      const unsent = outbox.leftOver()
      if (unsent === null) return
      update({ round: stopped(unsent.target_ms, unsent.actual_ms), begun: true })
      send(unsent)
    },
    forget: () => update({ view: 'main', round: IDLE, message: null, won: null, celebrating: false }),
    async changeAccount(change) {
      abandon(MESSAGES.interrupted)
      update({ changing: true })
      await Promise.race([state.get().delivery, new Promise(resolve => setTimeout(resolve, SETTLE_MS))])
      const answer = await change()
      // Another player has another target: a line about the last run would promise the wrong one.
      if (answer.ok) update({ player: state.get().player + 1, message: null, nameProblem: null })
      update({ changing: false })
      return answer
    },
  }
}
