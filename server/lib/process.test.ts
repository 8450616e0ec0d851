import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { systemUser } from './process.ts'

test('names the system user, and the user who called sudo', () => {
  const { username } = userInfo()
  expect(systemUser({})).toBe(username)
  expect(systemUser({ SUDO_USER: username })).toBe(username)
  expect(systemUser({ SUDO_USER: 'alice' })).toBe(`alice as ${username}`)
})
