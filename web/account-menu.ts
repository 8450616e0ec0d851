import { UNREACHABLE } from './api.ts'
import type { Parts } from './assemble.ts'
import { NOTES } from './notes.ts'

/** Opens the account menu, which few need: it is loaded when it is. A run under way ends, its button out of reach. */
export async function openAccountMenu(parts: Parts): Promise<void> {
  const { game } = parts
  game.abandon(NOTES.interrupted)
  await import('./AccountMenu.tsx').then(
    ({ showAccountMenu }) => showAccountMenu(parts),
    () => game.show(game.state.get().view, UNREACHABLE),
  )
}
