import type { LiveBodies, LivePart } from '../contract/live.ts'
import { celebrate } from './feel/confetti.ts'
import { openCueSwitch, playCues } from './feel/cues.ts'
import { decorate } from './feel/decorate.ts'
import { focusName, keepFocus } from './feel/focus.ts'
import { afterNextFrame } from './lib/after-next-frame.ts'
import { browserStorage } from './lib/storage.ts'
import type { Store } from './lib/store.ts'
import { openBoardChoice } from './live/board-choice.ts'
import type { Live } from './live/live.ts'
import { MESSAGES } from './messages.ts'
import { createAccounts } from './modes/accounts.ts'
import { keepHistory } from './modes/history.ts'
import { api } from './net/api.ts'
import { takeDares } from './result/dare.ts'
import { watchHandEnd } from './result/hand-end.ts'
import { createMyAttempts } from './result/my-attempts.ts'
import { createAttemptSender } from './round/attempt-sender.ts'
import { deferUntilPainted } from './round/deferred-state.ts'
import { Game } from './round/game.ts'
import { GUEST_KEY, openGuestProfile } from './session/guest.ts'
import { keepSession, type PageSession } from './session/session.ts'
import { joinTabs, type Tabs } from './session/tabs.ts'

/** Loads what moves over the page, which the game can do without. */
const flights = () => import('./feel/flights.ts')

export type App = ReturnType<typeof createApp>

/** The props of components that show the game of a player. */
export interface GameProps {
  readonly app: App
  readonly session: PageSession
}

/** Creates, connects and starts the parts of the page. */
export function createApp(live: Live) {
  const storage = browserStorage()
  const session = keepSession(api)
  const guests = openGuestProfile(storage)
  const myAttempts = createMyAttempts(api)
  const dares = takeDares(myAttempts)
  const tabs = joinTabs()
  const game = new Game({
    session,
    guests,
    sender: createAttemptSender({ api, storage, painted: afterNextFrame, onSend: live.sending }),
    pool: partOf(live, 'prize_pool'),
    focusName,
    meetDare: dares.meetResult,
    onRefused: () => void myAttempts.refetch(),
    onRecorded({ attempt, reason, record }) {
      myAttempts.add(attempt, record)
      live.recorded(attempt)
      tabs.announce()
      if (attempt.won_taps !== null) decorate(celebrate)
      else if (reason === null && game.state.get().view === 'main')
        decorate(async () => (await flights()).tickPool())
    },
  })
  const handEnd = watchHandEnd({
    myAttempts,
    today: partOf(live, 'today'),
    username: () => session.state.get().session?.user?.username ?? null,
    meetDare: dares.meetHand,
  })
  const cues = openCueSwitch(storage)
  const boardChoice = openBoardChoice(storage)
  const accounts = createAccounts({ api, session, game, guests, announce: tabs.announce })
  const shown = deferUntilPainted(game.state, afterNextFrame)

  const app = {
    session,
    guests,
    game,
    shown,
    accounts,
    live,
    myAttempts,
    dares,
    handEnd,
    cues,
    boardChoice,
  }

  if (guests.isFirstVisit) glideUntilPress()
  followPlayer(app)
  keepCurrent(app, tabs)
  void session.load().then(() => {
    if (session.state.get().session?.prize) game.show('claim')
    game.resume()
    playCues(game.state, cues, () => session.state.get().session?.record?.streak ?? 0)
    keepHistory(app)
    keepFocus(app)
    decorate(async () => (await flights()).payClaims(shown))
  })
  return app
}

/** Follows one part of the boards. */
function partOf<Part extends LivePart>(live: Live, part: Part): BoardPart<Part> {
  return {
    get: () => live.get().parts[part],
    subscribe: listener => live.subscribe((now, before) => listener(now.parts[part], before.parts[part])),
  }
}

type BoardPart<Part extends LivePart> = Pick<Store<LiveBodies[Part] | null>, 'get' | 'subscribe'>

/** Lets the waiting dot demonstrate the game until the first press. */
function glideUntilPress(): void {
  const { documentElement: root } = document
  root.toggleAttribute('data-glides', true)
  const end = () => root.toggleAttribute('data-glides', false)
  for (const press of ['pointerdown', 'keydown']) addEventListener(press, end, { once: true })
}

/** Loads a new player's attempts, and ends login mode after a login in any tab. */
function followPlayer({ session, myAttempts, game }: App): void {
  let userId: number | null | undefined
  session.state.subscribe(() => {
    const { session: current } = session.state.get()
    const currentId = current === null ? undefined : (current.user?.id ?? null)
    if (currentId === undefined || currentId === userId) return
    userId = currentId
    void myAttempts.renew()
    if (userId !== null && game.state.get().view === 'login') game.show('main')
  })
}

/**
 * Refreshes the page after a change in another tab, and after the page was hidden, frozen, offline or without
 * its live stream, as after a sleep of the device.
 */
function keepCurrent({ session, myAttempts, guests, game, live }: App, tabs: Tabs): void {
  /** Whether the live stream was lost since the last refresh. */
  let hasMissed = false
  const refresh = () => {
    // Before the first session there is no cookie, so another request would create another player.
    if (document.hidden || session.state.get().session === null) return
    hasMissed = false
    void session.refetch()
    void myAttempts.refetch()
  }
  tabs.onChange(refresh)
  live.subscribe(() => {
    if (live.get().status !== 'live') hasMissed = true
    else if (hasMissed) refresh()
  })
  document.addEventListener('visibilitychange', refresh)
  globalThis.addEventListener('online', refresh)
  globalThis.addEventListener('storage', ({ key }) => {
    if (key === GUEST_KEY) guests.reread()
  })
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    game.abandon(MESSAGES.interrupted)
    refresh()
  })
}
