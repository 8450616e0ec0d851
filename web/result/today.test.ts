import { expect, test } from 'vitest'
import { TODAY_SIZE } from '../../contract/rules.ts'
import { isOwnRow, placeOf } from './today.ts'

const guest = (username: string, average: number) => ({ username, average, is_guest: true })
const user = (username: string, average: number) => ({ username, average, is_guest: false })
const hand = (username: string, averageMs: number) => ({ id: 1, username, averageMs })

const GUEST = { username: null, hands: [hand('ola', 142), hand('ola', 201)] }
const USER = { username: 'ola', hands: [hand('Swift Otter 1', 142)] }

test.each([
  ['a guest by name and an average of its own', guest('ola', 0.142), GUEST, true],
  ['not another guest of the same name', guest('ola', 0.143), GUEST, false],
  ['not a guest with the same average', guest('otto', 0.142), GUEST, false],
  ['not a user with the name of the guest', user('ola', 0.142), GUEST, false],
  ['a user by name alone', user('ola', 0.099), USER, true],
  ["not a guest with the user's name", guest('ola', 0.142), USER, false],
] as const)('marks %s', (_who, row, reader, isOwn) => {
  expect(isOwnRow(row, reader)).toBe(isOwn)
})

const others = (count: number) =>
  Array.from({ length: count }, (_, index) => guest(`other ${index}`, (index + 1) / 100))

test.each([
  ['that of the own row', [guest('a', 0.05), guest('ola', 0.142), guest('b', 0.2)], GUEST, 2],
  ["that of the user's row, also for a hand from before the sign-up", [user('ola', 0.142)], USER, 1],
  ['open before the list has the hand', [guest('a', 0.05)], GUEST, 'open'],
  ['open while the list has a worse hand of the player', [guest('ola', 0.201)], GUEST, 'open'],
  ['open while the hand beats the tenth', [...others(TODAY_SIZE - 1), guest('b', 0.143)], GUEST, 'open'],
  ['none behind a full list', others(TODAY_SIZE).map(row => ({ ...row, average: 0.1 })), GUEST, null],
  ['none behind ten with the same average', [...others(TODAY_SIZE - 1), guest('b', 0.142)], GUEST, null],
  ['none while a better hand of the player is listed', [user('ola', 0.1)], USER, null],
  ['none without a list', null, GUEST, null],
] as const)('the place of a hand is %s', (_place, rows, reader, place) => {
  expect(placeOf(rows, 142, reader)).toBe(place)
})
