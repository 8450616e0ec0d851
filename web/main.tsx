import './styles.css'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { type App, createApp } from './app.ts'
import { ErrorBoundary } from './components/page/ErrorBoundary.tsx'
import { Page } from './components/page/Page.tsx'
import { readBoardHash } from './lib/board-hash.ts'
import { loadChunk, reloadOnce, reloadWhenHidden } from './lib/chunks.ts'
import { watchLive } from './live/live.ts'
import { MESSAGES } from './messages.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

const screen = createRoot(root)
const live = watchLive({ isPart: () => readBoardHash(location.hash)?.show != null })
/** The app; null until the game is first shown. */
let app: App | null = null
const isIdle = () => app === null || app.game.isIdle()

function showGame(): void {
  app ??= createApp(live)
  render(<Page app={app} />)
}

async function showBoard(): Promise<void> {
  app?.game.abandon(MESSAGES.interrupted)
  const part = await loadChunk(() => import('./wall/BoardMode.tsx'))
  const options = readBoardHash(location.hash)
  if (options === null) return
  if (part === null) {
    if (await reloadOnce(isIdle)) return
    leaveBoard()
    app?.game.show('main', MESSAGES.boardMissing)
    return
  }
  const { BoardMode } = part
  render(<BoardMode live={live} options={options} onLeave={leaveBoard} />)
}

function render(content: ReactNode): void {
  screen.render(
    <StrictMode>
      <ErrorBoundary>{content}</ErrorBoundary>
    </StrictMode>,
  )
}

/** Leaves board mode by going back. If the visit began in board mode, shows the game instead. */
function leaveBoard(): void {
  if (app !== null) {
    history.back()
    return
  }
  history.replaceState(null, '', location.pathname + location.search)
  showGame()
}

function show(): void {
  if (readBoardHash(location.hash) === null) showGame()
  else void showBoard()
}

reloadWhenHidden(isIdle)
addEventListener('hashchange', show)
show()
