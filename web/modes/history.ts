import { writeEntry } from '../lib/entries.ts'
import { isComposing, isInPage } from '../lib/page-events.ts'
import type { Game, View } from '../round/game.ts'
import type { SessionKeeper } from '../session/session.ts'

interface Deps {
  readonly game: Pick<Game, 'state' | 'show'>
  readonly session: Pick<SessionKeeper, 'state'>
}

/**
 * Gives login and claim mode a history entry each, so that Back returns to the game, as Escape does. Forward
 * shows the game if the mode is no longer available.
 */
export function keepHistory({ game, session }: Deps): void {
  let leaving = false
  history.scrollRestoration = 'manual'

  function isAvailable(view: View): boolean {
    const { session: current } = session.state.get()
    if (view === 'claim') return (current?.prize ?? null) !== null
    return view === 'main' || current?.user === null
  }

  /** Makes the history match the view, unless `back()` is in progress. */
  function syncHistory(): void {
    const { view } = game.state.get()
    if (leaving || view === entry()) return
    if (entry() === 'main') writeEntry('pushState', { view })
    else if (view !== 'main') writeEntry('replaceState', { view })
    else {
      leaving = true
      history.back()
    }
  }

  function onPopState(): void {
    const requested = entry()
    const isRequested = !leaving && requested !== game.state.get().view
    leaving = false
    if (isRequested) game.show(isAvailable(requested) ? requested : 'main')
    syncHistory()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || isComposing(event) || event.defaultPrevented) return
    if (!isInPage(event.target) || game.state.get().view === 'main') return
    game.show('main')
  }

  game.state.subscribe(({ view }, before) => {
    if (view !== before.view) scrollTo(0, 0)
    syncHistory()
  })
  // Restores the mode after a reload, if the mode is available and no attempt is in view.
  const restored = entry()
  if (restored !== 'main' && isAvailable(restored) && game.state.get().sendingSince === null)
    game.show(restored)
  syncHistory()
  addEventListener('popstate', onPopState)
  document.addEventListener('keydown', onKeyDown)
}

function entry(): View {
  const { view } = { view: 'main', ...history.state }
  return view === 'login' || view === 'claim' ? view : 'main'
}
