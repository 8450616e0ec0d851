import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { systemUser } from './system-user.ts'

test('names the user who runs the program, and the one before sudo', () => {
  const { username } = userInfo()
  expect(systemUser({})).toBe(username)
  expect(systemUser({ SUDO_USER: username })).toBe(username)
  expect(systemUser({ SUDO_USER: 'alice' })).toBe(`alice as ${username}`)
})
