import type { Recorded } from '../contract/api.ts'
import { checkName } from '../contract/name.ts'
import { ACTUAL_MAX_MS } from '../contract/rules.ts'
import type { Answer, Failure } from './api.ts'
import type { GuestBook } from './guest.ts'
import { NOTES } from './notes.ts'
import type { Outbox } from './outbox.ts'
import { IDLE, type RoundState, type Running, start, stop, stopped } from './round.ts'
import type { SessionKeeper } from './session.ts'
import { createStore, type Store } from './store.ts'
import type { Unsent } from './unsent.ts'

export type View = 'main' | 'login' | 'claim'

export interface GameState {
  readonly view: View
  readonly round: RoundState
  /** An attempt is on its way: the next round comes with its answer. */
  readonly sending: boolean
  /** A login or logout is on its way: the round in hand is about to be another one. */
  readonly changing: boolean
  /** What the player should know, in one plain line. */
  readonly note: string | null
}

export interface Game {
  readonly state: Store<GameState>
  /** Start or Stop, by an input event at `at` (ms since the page began). */
  press(at: number): void
  show(view: View, note?: string): void
  /** Ends a run without a result; its target stays to be played. */
  abandon(note: string): void
  /** Takes up the attempt that an earlier page could not send. */
  resume(): void
  /** Changes the player: first settles the attempt on its way, and lets no round start meanwhile. */
  changePlayer<Body>(change: () => Promise<Answer<Body>>): Promise<Answer<Body>>
  /** A new player sees nothing of the one before. */
  forget(): void
}

export interface Needs {
  readonly session: SessionKeeper
  readonly guests: GuestBook
  readonly outbox: Outbox
  readonly alert: (message: string) => void
  /** True when the device has just slept; whoever notices it has ended the run. */
  readonly slept: () => boolean
  readonly onRecorded: (recorded: Recorded) => void
}

/** How long a login or logout waits for an attempt that is on its way. */
const SETTLE_MS = 5_000

/** One failure is ordinary on a phone; a second one means a wait that wants a word. */
const FAILURES_BEFORE_NOTE = 2

/** Plays rounds: joins their rules with the session and the server. */
export function createGame({ session, guests, outbox, alert, slept, onRecorded }: Needs): Game {
  const state = createStore<GameState>({
    view: 'main',
    round: IDLE,
    sending: false,
    changing: false,
    note: null,
  })
  const update = (part: Partial<GameState>) => state.set({ ...state.get(), ...part })
  let givenUp = new AbortController()
  let tooLong: ReturnType<typeof setTimeout> | undefined
  let delivery: Promise<void> = Promise.resolve()
  /** Counts changes of player, so that a late answer to the previous one is known for what it is. */
  let player = 0
  /** The account that the run was started under; null for a guest. */
  let runner: number | null = null

  function begin(at: number): void {
    const { session: current } = session.state.get()
    const { sending, changing } = state.get()
    if (current === null || sending || changing) return
    const name = checkName(current.user?.username ?? guests.guest.get().username)
    if (!name.ok) {
      if (name.blank) alert(name.problem)
      else update({ note: name.problem })
      return
    }

    const running = start(current.round, name.name, at)
    runner = current.user?.id ?? null
    update({ round: running, note: null })
    tooLong = setTimeout(() => abandon(NOTES.tooLong), ACTUAL_MAX_MS)
    givenUp = new AbortController()
    void outbox.start(running.round.token, givenUp.signal).then(answer => {
      if (!answer.ok && state.get().round === running) refuse(answer)
    })
  }

  function end(running: Running, at: number): void {
    const result = stop(running, at)
    if (result === null) {
      abandon(NOTES.tooLong)
      return
    }
    clearTimeout(tooLong)
    update({ round: result, note: null })
    const { round, username } = running
    const { targetMs, actualMs } = result
    send({ round: round.token, start: null, username, target_ms: targetMs, actual_ms: actualMs })
  }

  function send(unsent: Unsent): void {
    const sender = player
    const onRetry = (failures: number) => {
      if (failures >= FAILURES_BEFORE_NOTE) update({ note: NOTES.retrying })
    }
    update({ sending: true })
    delivery = outbox.send(unsent, onRetry).then(answer => {
      update({ sending: false, note: null })
      if (sender !== player) return session.refetch()
      return answer.ok ? record(answer.body) : refuse(answer)
    })
  }

  function record(recorded: Recorded): void {
    const { reason, attempt } = recorded
    session.recorded(recorded)
    if (reason !== null) update({ note: NOTES[reason] })
    if (attempt.won_taps !== null && state.get().view === 'main') update({ view: 'claim' })
    onRecorded(recorded)
  }

  /** The round was not, or no longer, ours to play: says so in one line and goes on with the next. */
  function refuse({ title, round }: Failure): void {
    abandon(title)
    update({ note: title })
    if (round !== null) session.takeRound(round)
    void session.refetch()
  }

  function abandon(note: string): void {
    if (state.get().round.phase !== 'running') return
    clearTimeout(tooLong)
    givenUp.abort()
    update({ round: IDLE, note })
  }

  session.state.subscribe(() => {
    const { round } = state.get()
    const { session: current } = session.state.get()
    if (round.phase !== 'running' || round.round.token === current?.round.token) return
    abandon((current?.user?.id ?? null) === runner ? NOTES.overtaken : NOTES.elsewhere)
  })

  return {
    state,
    abandon,
    press(at) {
      const { round } = state.get()
      if (round.phase !== 'running') return begin(at)
      if (!slept()) end(round, at)
    },
    show(view, note) {
      if (view !== 'main') abandon(NOTES.interrupted)
      update({ view, ...(note === undefined ? {} : { note }) })
    },
    resume() {
      const unsent = outbox.leftOver()
      if (unsent === null) return
      update({ round: stopped(unsent.target_ms, unsent.actual_ms) })
      send(unsent)
    },
    forget: () => update({ view: 'main', round: IDLE, note: null }),
    async changePlayer(change) {
      abandon(NOTES.interrupted)
      update({ changing: true })
      await Promise.race([delivery, new Promise(resolve => setTimeout(resolve, SETTLE_MS))])
      const answer = await change()
      if (answer.ok) player += 1
      // Another player has another target: a line about the last run would promise the wrong one.
      update(answer.ok ? { changing: false, note: null } : { changing: false })
      return answer
    },
  }
}
