import { createAccounts } from './accounts.ts'
import { api } from './api.ts'
import { celebrate } from './confetti.ts'
import { focusName } from './focus-name.ts'
import { createGame } from './game.ts'
import { GUEST_KEY, openGuestBook } from './guest.ts'
import { createLater, type Later } from './later.ts'
import { watchLive } from './live.ts'
import { MESSAGES } from './messages.ts'
import { createMyAttempts } from './my-attempts.ts'
import { type CheckName, loadNameCheck } from './name-check.ts'
import { createOutbox } from './outbox.ts'
import { painted } from './painted.ts'
import { keepSession } from './session.ts'
import { showPressFirst } from './shown.ts'
import { watchSleep } from './sleep.ts'
import { openSoundSettings } from './sound-settings.ts'
import { browserStorage } from './storage.ts'
import { createStore, type Store } from './store.ts'
import { joinTabs, type Tabs } from './tabs.ts'

/** The parts of the page that live as long as it does. */
export type App = ReturnType<typeof createApp>

/** Puts the page together and sets it going. */
export function createApp() {
  const storage = browserStorage()
  const session = keepSession(api)
  const guests = openGuestBook(storage)
  const nameCheck = loadNameCheck()
  const live = watchLive()
  const myAttempts = createMyAttempts(api)
  const tabs = joinTabs()
  /** The step in ms of a clock that is too coarse to play by; null as long as it is none. */
  const coarseStep = createStore<number | null>(null)
  const sleep = watchSleep(() => {
    game.abandon(MESSAGES.slept)
    refresh()
  })
  const game = createGame({
    session,
    guests,
    outbox: createOutbox(api, storage, painted),
    checkName: raw => nameCheck.get()(raw),
    alert: message => window.alert(message),
    focusName,
    slept: sleep.check,
    onRecorded({ attempt }) {
      myAttempts.add(attempt)
      tabs.announce()
      if (attempt.won_taps !== null) void celebrate()
    },
  })
  const soundSettings = openSoundSettings(storage)
  const accounts = createAccounts({ api, session, game, guests, announce: tabs.announce })

  const later = createLater()
  const app = {
    session,
    guests,
    game,
    shown: showPressFirst(game.state, painted),
    accounts,
    later: later.parts,
    live,
    myAttempts,
    coarseStep,
    soundSettings,
  }

  followPlayer(app)
  checkNamesAhead(app, nameCheck)
  const refresh = keepCurrent(app, tabs)
  const loading = session.load()
  // Beside the session, not after it: who presses at once finds it there.
  const loadingLater = later.load()
  void loading.then(async () => {
    if (session.state.get().session?.prize) game.show('claim')
    game.resume()
    goOn(app, await loadingLater)
  })
  return app
}

/** What begins once the game can be played. */
function goOn(app: App, { giveCues, keepHistory, keepFocus, tellCoarseStep }: Later): void {
  giveCues(app.game.state, app.soundSettings)
  keepHistory(app)
  keepFocus(app)
  tellCoarseStep(app.coarseStep.set)
}

/** Another player has other attempts, and a login, here or in another tab, ends login mode. */
function followPlayer({ session, myAttempts, game }: App): void {
  let player: number | null | undefined
  session.state.subscribe(() => {
    const { session: current } = session.state.get()
    const now = current === null ? undefined : (current.user?.id ?? null)
    if (now === undefined || now === player) return
    player = now
    void myAttempts.renew()
    if (now !== null && game.state.get().view === 'login') game.show('main')
  })
}

/** The first check of a name beyond ASCII takes 16 to 64 ms: not in the moment of the press. */
function checkNamesAhead({ guests }: App, nameCheck: Store<CheckName>): void {
  const check = () => nameCheck.get()(guests.guest.get().username)
  nameCheck.subscribe(check)
  guests.guest.subscribe(check)
}

/**
 * What happened elsewhere (in another tab, while hidden, while frozen) is asked for when it matters.
 *
 * @returns asks now
 */
function keepCurrent({ session, myAttempts, guests, game }: App, tabs: Tabs): () => void {
  const refresh = () => {
    // Before the first session there is no cookie yet, and a second request would make a second player.
    if (document.hidden || session.state.get().session === null) return
    void session.refetch()
    void myAttempts.refetch()
  }
  tabs.onChange(refresh)
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
  return refresh
}
