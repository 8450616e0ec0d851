import { UNREACHABLE } from '../api.ts'
import type { App } from '../app.ts'
import { MESSAGES } from '../messages.ts'

/** Opens the account menu, which few need: it is loaded when it is. A run under way ends, its button out of reach. */
export async function openAccountMenu(app: Pick<App, 'accounts' | 'session' | 'game'>): Promise<void> {
  const { game } = app
  await import('./AccountMenu.tsx').then(
    ({ showAccountMenu }) => {
      // Pressed twice while it was loaded.
      if (document.querySelector('dialog[open]')) return
      game.abandon(MESSAGES.interrupted)
      showAccountMenu(app)
    },
    () => game.show(game.state.get().view, UNREACHABLE),
  )
}
