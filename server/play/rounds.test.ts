import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { AttemptBody, StartBody } from '../../contract/api/play.ts'
import {
  NAME_MAX_LENGTH,
  TARGET_COUNT,
  TARGET_MAX_MS,
  TARGET_MIN_MS,
  TARGET_STEP_MS,
} from '../../contract/rules.ts'
import { fc } from '../../tests/support/properties.ts'
import { deriveKeys } from '../lib/derived-keys.ts'
import { Problem } from '../problem.ts'
import { Rounds } from './rounds.ts'

const SECRET = 'one secret of at least 32 characters'
const rounds = new Rounds(deriveKeys(SECRET))
const others = new Rounds(deriveKeys('another secret of 32 characters or more'))

const player = fc.uuid()
const last = fc.record({ id: fc.nat(), round: fc.nat() })
/** No name, a short name, or a name of the maximum length. */
const username = fc.option(
  fc.constantFrom('a', 'Swift Otter 427', '木'.repeat(32), '👩‍🚀'.repeat(32), 'ကျော်'.repeat(32)),
)
const PLAYER = '00112233-4455-6677-8899-aabbccddeeff'
const FIRST = { id: 0, round: 0 }

test('reads a round and its start back from their tokens', () => {
  fc.assert(
    fc.property(player, last, fc.nat(), username, (playerId, at, now, name) => {
      const round = rounds.next(playerId, at)
      expect(rounds.readRound(rounds.issue(round).token)).toEqual(round)
      const { start } = rounds.start(round, now, name)
      for (const reader of [rounds, new Rounds(deriveKeys(SECRET))]) {
        expect(reader.readStart(start)).toEqual({ ...round, startedAt: now, username: name })
      }
    }),
  )
})

test('reads tokens that an earlier release issued', () => {
  const round = { playerId: PLAYER, number: 1, targetMs: 2_970 }
  const issued = `${PLAYER}.1.2970.RkNZcGYTqIue8nZM8I8Iag`
  const start = `${PLAYER}.1.2970.1790000000000.b2xh.C3MRPjCwM8l2wMvnHU0r_Q`
  expect(rounds.next(PLAYER, FIRST)).toEqual(round)
  expect(rounds.readRound(issued)).toEqual(round)
  expect(rounds.readStart(start)).toEqual({ ...round, startedAt: 1_790_000_000_000, username: 'ola' })
})

test('issues tokens that the contract accepts, even with the longest name', () => {
  const round = rounds.next(PLAYER, FIRST)
  const { token } = rounds.issue(round)
  expect(Value.Check(StartBody, { round: token })).toBe(true)
  const { start } = rounds.start(round, Date.now(), '\uffff'.repeat(NAME_MAX_LENGTH))
  expect(start.length).toBe(881)
  expect(Value.Check(AttemptBody, { start, username: '', actual_time: 1 })).toBe(true)
})

test('rejects a token that is of the wrong kind or signed with another secret', () => {
  const round = rounds.next(PLAYER, FIRST)
  const { token } = rounds.issue(round)
  const { start } = rounds.start(round, Date.now())
  for (const refused of [
    () => rounds.readStart(token),
    () => rounds.readRound(start),
    () => others.readRound(token),
    () => others.readStart(start),
    () => rounds.readRound(''),
  ]) {
    expect(refused).toThrow(new Problem('bad_token'))
  }
})

test('derives the next round only from the secret, the player and the last attempt', () => {
  const targets = (source: Rounds, playerId = PLAYER, from = 0) =>
    Array.from({ length: 20 }, (_, n) => source.next(playerId, { id: from + n, round: n }).targetMs)
  const usual = targets(rounds)
  expect(targets(new Rounds(deriveKeys(SECRET)))).toEqual(usual)
  expect(targets(others)).not.toEqual(usual)
  expect(targets(rounds, PLAYER.replace('0', '1'))).not.toEqual(usual)
  expect(targets(rounds, PLAYER, 100)).not.toEqual(usual)
})

test('distributes the targets uniformly over the 401 possible values', () => {
  const each = 100
  const counts = new Map<number, number>()
  for (let id = 0; id < each * TARGET_COUNT; id += 1) {
    const { targetMs } = rounds.next(PLAYER, { id, round: id })
    counts.set(targetMs, (counts.get(targetMs) ?? 0) + 1)
  }
  expect(counts.size).toBe(TARGET_COUNT)
  let chiSquared = 0
  for (const [targetMs, count] of counts) {
    expect(targetMs).toBeGreaterThanOrEqual(TARGET_MIN_MS)
    expect(targetMs).toBeLessThanOrEqual(TARGET_MAX_MS)
    expect(targetMs % TARGET_STEP_MS).toBe(0)
    chiSquared += (count - each) ** 2 / each
  }
  // With 400 degrees of freedom, the sum is below 493 for 99.9% of secrets. The secret is fixed, so the
  // result never varies.
  expect(chiSquared).toBeLessThan(493)
  // A sum below 318 would mean targets spread too evenly to be random.
  expect(chiSquared).toBeGreaterThan(318)
})
