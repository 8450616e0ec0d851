import { expect, test } from 'vitest'
import type { LastWin } from '../../contract/api.ts'
import { createStore } from '../lib/store.ts'
import type { LiveState } from '../live/live.ts'
import { gameRig, ROUND } from '../testing/game.ts'
import { watchStake } from './at-stake.ts'

const winOf = (username: string, created_at: string): LastWin => ({
  ...{ username, is_guest: false, won_taps: 18, created_at },
})

/** Returns a game's stake, and functions that change the pool and play a round. */
function rig() {
  const { game } = gameRig()
  const parts = { leaderboard: null, attempts: null }
  const live = createStore<LiveState>({ status: 'live', parts: { ...parts, prize_pool: null } })
  const setPool = (taps: number, last_win: LastWin | null = null) =>
    live.set({ status: 'live', parts: { ...parts, prize_pool: { taps, last_win } } })
  const stake = watchStake(game.state, live)
  let now = 0
  const play = async (differenceMs: number) => {
    now += 10_000
    game.press(now)
    game.press(now + ROUND.target_time * 1_000 + differenceMs)
    await Promise.resolve()
  }
  return { game, stake, setPool, play }
}

test('keeps what a hit would have paid at the moment of Stop, whatever the pool becomes', async () => {
  const { stake, setPool, play } = rig()
  setPool(23, winOf('ola', '1'))
  await play(130)
  expect(stake.get()).toMatchObject({ taps: 24, takenBy: null })
  for (const taps of [24, 30]) setPool(taps, winOf('ola', '1'))
  expect(stake.get()).toMatchObject({ taps: 24, takenBy: null })
})

test('names the player who wins the pool while a miss is in view', async () => {
  const { game, stake, setPool, play } = rig()
  setPool(17)
  await play(130)
  setPool(0, winOf('mira', '2'))
  expect(stake.get()).toMatchObject({ takenBy: { username: 'mira', won_taps: 18 } })
  game.press(40_000)
  expect(stake.get(), 'during the next round').toBeNull()
})

test('has no stake after a hit, and none while the pool is unknown', async () => {
  const { stake, setPool, play } = rig()
  await play(130)
  expect(stake.get()).toBeNull()
  setPool(17)
  await play(30)
  expect(stake.get()).toBeNull()
})
