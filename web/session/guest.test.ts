import { expect, test } from 'vitest'
import { checkName } from '../../contract/name.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { makeHandle, openGuestProfile } from './guest.ts'

test('makes handles of an adjective, a noun and a number from 1 to 999', () => {
  for (let chance = 0; chance < 1; chance += 1 / 64) {
    const handle = makeHandle(() => chance)
    expect(handle).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+ \d{1,3}$/)
    expect(checkName(handle)).toEqual({ ok: true, name: handle })
  }
  expect(makeHandle(() => 0)).toMatch(/ 1$/)
  expect(makeHandle(() => 1 - Number.EPSILON)).toMatch(/[a-z] 999$/)
})

test.each([
  ['nothing', null],
  ['invalid JSON', '{'],
  ['another shape', '{"name":"x"}'],
  ['a blank name', '{"username":"  "}'],
])('stores a new guest in the specified shape when the storage holds %s', (_what, stored) => {
  const storage = memoryStorage()
  if (stored !== null) storage.setItem('game-user', stored)
  const { username } = openGuestProfile(storage).guest.get()
  expect(username).toMatch(/^\w+ \w+ \d{1,3}$/)
  expect(JSON.parse(storage.getItem('game-user') ?? '')).toEqual({ username, taps_balance: 0, isGuest: true })
})

test('stores a new handle for other tabs when the guest is renewed', () => {
  const storage = memoryStorage()
  const here = openGuestProfile(storage)
  const there = openGuestProfile(storage)
  here.rename('Ola')
  here.renew()
  there.reread()
  expect(here.guest.get().username).not.toBe('Ola')
  expect(there.guest.get()).toEqual(here.guest.get())
})
