import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PROBLEMS } from '../../contract/problems.ts'
import { MESSAGES } from '../lib/messages.ts'
import type { Game } from '../round/game.ts'
import { createAccountSettings } from './account-settings.ts'
import type { Accounts } from './accounts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Returns account settings with a server that gives `answers` in order. Null stands for a lost answer. */
function rig(...answers: (204 | 'login_required' | null)[]) {
  vi.stubGlobal('fetch', async () => {
    const answer = answers.shift() ?? null
    if (answer === null) throw new TypeError('The connection was lost')
    if (answer === 204) return new Response(null, { status: 204 })
    const { status, title } = PROBLEMS[answer]
    const headers = { 'content-type': 'application/problem+json' }
    return new Response(JSON.stringify({ status, code: answer, title }), { status, headers })
  })
  const changeAccount: Game['changeAccount'] = vi.fn(change => change())
  const game = { show: vi.fn<Game['show']>(), changeAccount }
  const refetch = vi.fn(async () => null)
  const leave: Accounts['leave'] = async end => {
    for (;;) {
      const answer = await end()
      if (answer.ok) return null
      if (answer.code !== 'network') return answer
    }
  }
  return {
    settings: createAccountSettings({ accounts: { leave }, session: { refetch }, game }),
    ...game,
    refetch,
  }
}

test('asks the user to log in again when the answer to a password change is lost', async () => {
  const { settings, show, changeAccount, refetch } = rig(null, 'login_required')
  const changed = settings.changePassword('old', 'new')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await changed).toMatchObject({ code: 'login_required' })
  expect(show).toHaveBeenCalledExactlyOnceWith('main', MESSAGES.signInAgain)
  expect(changeAccount, 'waits for the attempt in flight').toHaveBeenCalledOnce()
  expect(refetch).toHaveBeenCalledOnce()
})

test('reports the logout, not a changed password, when the user was logged out elsewhere', async () => {
  const { settings, show, refetch } = rig('login_required')
  expect(await settings.changePassword('old', 'new')).toMatchObject({ code: 'login_required' })
  expect(show).not.toHaveBeenCalled()
  expect(refetch).toHaveBeenCalledOnce()
})

test('treats a deletion as done when its answer was lost', async () => {
  expect(await rig(null, 'login_required').settings.deleteAccount('password')).toBeNull()
  expect(await rig('login_required').settings.deleteAccount('password')).toMatchObject({
    code: 'login_required',
  })
})
