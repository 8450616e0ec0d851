import { expect, test, vi } from 'vitest'
import type { Attempt, Today } from '../../contract/api.ts'
import { createStore } from '../lib/store.ts'
import type { Dare } from '../round/against.ts'
import type { CompleteHand } from './hand.ts'
import { watchHandEnd } from './hand-end.ts'

const row = (username: string, average: number) => ({ username, is_guest: true, average })
const DARE: Dare = { kind: 'hand', by: 'mira', differenceMs: 200 }

function rig() {
  const attempts = createStore<readonly Attempt[]>([])
  const hand = createStore({ rounds: 0 as number | null, isFresh: false })
  const hands = createStore<readonly CompleteHand[]>([])
  const today = createStore<Today | null>({ day: '2026-11-28', today: [] })
  const meetDare = vi.fn<(firstId: number, averageMs: number) => Dare | null>(() => null)
  const end = watchHandEnd({ myAttempts: { attempts, hand, hands }, today, username: () => null, meetDare })
  /** Records rounds with a difference of 0.142 s. */
  const record = (rounds: number, isFresh = true, verified = true) => {
    const all = Array.from({ length: rounds }, (_, index) => ({
      id: rounds - index,
      difference: 0.142,
      verified,
    }))
    attempts.set(all as unknown as readonly Attempt[])
    hands.set([{ id: rounds, username: 'ola', averageMs: 142 }])
    hand.set({ rounds, isFresh })
  }
  const list = (...rows: Today['today']) => today.set({ day: '2026-11-28', today: rows })
  return { end, record, list, today, meetDare, hand }
}

test('tells the end of a hand until the next round is recorded, and meets a dare once', () => {
  const { end, record, meetDare, hand } = rig()
  meetDare.mockReturnValue(DARE)
  record(4)
  expect(end.get()).toBeNull()
  record(5)
  expect(end.get()).toMatchObject({ id: 5, averages: { nowMs: 142, beforeMs: null }, dare: DARE })
  hand.set({ rounds: 5, isFresh: true })
  expect(meetDare).toHaveBeenCalledExactlyOnceWith(1, 142)
  record(6)
  expect(end.get()).toBeNull()
  record(10)
  expect(meetDare).toHaveBeenLastCalledWith(6, 142)
})

test('tells no end of a hand that a reload shows again, or that is not verified', () => {
  const { end, record, meetDare } = rig()
  record(5, false)
  expect(end.get()).toBeNull()
  record(5, true, false)
  expect(end.get()).toBeNull()
  expect(meetDare).not.toHaveBeenCalled()
})

test('takes the place from the first list that has the hand, and keeps it', () => {
  const { end, record, list } = rig()
  record(5)
  expect(end.get()?.place).toBe('open')
  list(row('mira', 0.1))
  expect(end.get()?.place).toBe('open')
  list(row('mira', 0.1), row('ola', 0.142))
  expect(end.get()?.place).toBe(2)
  list(row('mira', 0.1), row('otto', 0.12), row('ola', 0.142))
  expect(end.get()?.place).toBe(2)
})

test('takes the place from a list that was there before the answer', () => {
  const { end, record, list } = rig()
  list(row('ola', 0.142))
  record(5)
  expect(end.get()?.place).toBe(1)
})

test('has no place from a node without a list', () => {
  const { end, record, today } = rig()
  today.set(null)
  record(5)
  expect(end.get()?.place).toBeNull()
})
