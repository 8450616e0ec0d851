import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { systemUser } from './system-user.ts'

test('the user of the system is who runs the program, and who that was before sudo', () => {
  const { username } = userInfo()
  expect(systemUser({})).toBe(username)
  expect(systemUser({ SUDO_USER: username })).toBe(username)
  expect(systemUser({ SUDO_USER: 'alice' })).toBe(`alice as ${username}`)
})
