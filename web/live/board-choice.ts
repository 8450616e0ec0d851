import { readJson, type Storage, writeJson } from '../lib/storage.ts'
import { createStore } from '../lib/store.ts'

/** The lists that the leaderboard can show. */
export type BoardList = 'all-time' | 'today'

export type BoardChoice = ReturnType<typeof openBoardChoice>

const KEY = 'taps-board'

/** Reads the list that the player has chosen. */
export function openBoardChoice(storage: Storage) {
  const chosen = createStore<BoardList>(readJson(storage, KEY) === 'today' ? 'today' : 'all-time')
  return {
    chosen,
    choose(list: BoardList): void {
      chosen.set(list)
      writeJson(storage, KEY, list)
    },
  }
}
