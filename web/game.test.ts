import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Attempt, Recorded } from '../contract/api.ts'
import { WIN_SHOWN_MS } from '../contract/rules.ts'
import { createGame } from './game.ts'
import { createStore } from './store.ts'

const ROUND = { token: 'token', target_time: 3.21 }
const SESSION = { user: null, rank: null, prize: null, round: ROUND }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A game whose attempts all win 4 TAPS as soon as they are sent. */
function winningGame() {
  const recorded = { reason: null, attempt: { won_taps: 4 } as Attempt, round: ROUND } as Recorded
  const state = createStore({ session: SESSION, unreachable: false, holdEndsAt: null })
  const nothing = async () => undefined
  return createGame({
    session: {
      state,
      load: nothing,
      refetch: nothing,
      renew: nothing,
      signedIn: () => undefined,
      claimed: () => undefined,
      recorded: () => undefined,
      takeRound: () => undefined,
    },
    guests: { guest: createStore({ username: 'ola', taps_balance: 0, isGuest: true }) },
    outbox: {
      leftOver: () => null,
      start: async () => ({ ok: true, status: 201, body: null }),
      send: async () => ({ ok: true, status: 201, body: recorded }),
    },
    checkName: name => ({ ok: true, name }),
    alert: () => undefined,
    focusName: () => undefined,
    slept: () => false,
    onRecorded: () => undefined,
  })
}

async function playedGame() {
  const game = winningGame()
  game.press(0)
  game.press(3_200)
  await vi.advanceTimersByTimeAsync(0)
  return game
}

test('a winning result stays for 0.9 s, whatever is pressed, and then claim mode comes', async () => {
  const game = await playedGame()
  await vi.advanceTimersByTimeAsync(WIN_SHOWN_MS - 1)
  game.press(3_200 + WIN_SHOWN_MS - 1)
  expect(game.state.get()).toMatchObject({ view: 'main', won: 4, round: { phase: 'stopped' } })
  await vi.advanceTimersByTimeAsync(1)
  expect(game.state.get()).toMatchObject({ view: 'claim', won: 4, round: { phase: 'stopped' } })
})

test('who has gone to the claim and back meanwhile is not taken there again', async () => {
  const game = await playedGame()
  game.show('claim')
  game.show('main')
  await vi.advanceTimersByTimeAsync(WIN_SHOWN_MS)
  expect(game.state.get().view).toBe('main')
  game.press(4_200)
  expect(game.state.get()).toMatchObject({ round: { phase: 'running' }, won: null })
})
