import './styles.css'
import { type App, createApp } from './app.ts'
import { Page } from './components/page/Page.tsx'
import { partsOfOverlay, readBoardHash } from './lib/board-hash.ts'
import { writeEntry } from './lib/entries.ts'
import { beginPage, pageIsComplete, pageIsIncomplete } from './lib/page-watch.ts'
import { watchLive } from './live/live.ts'
import { MESSAGES } from './messages.ts'
import { watchJoinAddress } from './net/join-address.ts'
import { openScreen } from './screen.tsx'

// Otherwise the page lacks its style sheet, and is about to reload.
if (beginPage()) openPage()

function openPage(): void {
  const screen = openScreen(() => readBoardHash(location.hash) !== null)
  watchJoinAddress()
  const live = watchLive({ partsToRead: () => partsOfOverlay(location.hash) })
  /** The app; null until the game is first shown. */
  let app: App | null = null

  function showGame(): void {
    pageIsComplete()
    app ??= createApp(live)
    screen.render(<Page app={app} />)
  }

  async function showBoard(): Promise<void> {
    app?.game.abandon(MESSAGES.interrupted)
    const part = await import('./wall/BoardMode.tsx').catch(() => null)
    const options = readBoardHash(location.hash)
    if (options === null) return
    if (part !== null) {
      pageIsComplete()
      screen.render(<part.BoardMode live={live} options={options} onLeave={leaveBoard} />)
    } else if (app === null) pageIsIncomplete()
    else {
      leaveBoard()
      app.game.show('main', MESSAGES.boardMissing)
    }
  }

  /** Leaves board mode by going back. If the visit began in board mode, shows the game instead. */
  function leaveBoard(): void {
    if (app !== null) {
      history.back()
      return
    }
    writeEntry('replaceState', null, location.pathname + location.search)
    showGame()
  }

  function show(): void {
    if (readBoardHash(location.hash) === null) showGame()
    else void showBoard()
  }

  addEventListener('hashchange', show)
  show()
}
