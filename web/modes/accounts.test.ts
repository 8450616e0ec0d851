import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Claimed, SignedIn } from '../../contract/api.ts'
import { MESSAGES } from '../messages.ts'
import type { Answer, Api } from '../net/api.ts'
import type { Game } from '../round/game.ts'
import type { SessionKeeper } from '../session/session.ts'
import { afterTimers } from '../testing/after-timers.ts'
import { GUEST } from '../testing/game.ts'
import { problem } from '../testing/problem.ts'
import { createAccounts } from './accounts.ts'

const CREDENTIALS = { username: 'Ada', password: 'a long enough password' }
const PASSWORDS = { password: 'old', new_password: 'new' }
const USER = { id: 7, username: 'Ada', taps_balance: 10 }

const done = <Body>(body: Body): Answer<Body> => ({ ok: true, body })
const SIGNED_IN = done<SignedIn>({ user: USER, prize: null, round: { token: 'token', target_time: 3.21 } })
const claimed = (taps: number) => done<Claimed>({ taps, user: USER })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns accounts with a server that accepts every request, and the mocked parts. */
function rig() {
  const api = {
    login: vi.fn<Api['login']>(async () => SIGNED_IN),
    createAccount: vi.fn<Api['createAccount']>(async () => SIGNED_IN),
    claim: vi.fn<Api['claim']>(async () => claimed(4)),
    logout: vi.fn<Api['logout']>(async () => done(null)),
    changePassword: vi.fn<Api['changePassword']>(async () => done(null)),
    deleteAccount: vi.fn<Api['deleteAccount']>(async () => done(null)),
  }
  const refetch = vi.fn<SessionKeeper['refetch']>(async () => null)
  const session = { signedIn: vi.fn(), claimed: vi.fn(), refetch, renew: vi.fn() }
  const changeAccount = vi.fn((change: () => unknown) => change()) as Game['changeAccount']
  const game = { changeAccount, show: vi.fn(), startOver: vi.fn() }
  const accounts = createAccounts({ api, session, game, guests: { renew: vi.fn() }, announce: vi.fn() })
  return { accounts, api, session, game }
}

test('waits for the attempt in flight before each change of the player', async () => {
  const { accounts, api, game } = rig()
  vi.mocked(game.changeAccount).mockResolvedValue(problem('unavailable'))
  await accounts.enter('login', CREDENTIALS)
  await accounts.enterAndClaim('createAccount', CREDENTIALS)
  await accounts.claim()
  await accounts.changePassword(PASSWORDS)
  await accounts.deleteAccount('old')
  await accounts.logout()
  for (const call of Object.values(api)) expect(call).not.toHaveBeenCalled()
})

test('shows the balance when the first answer to a claim was lost', async () => {
  const { accounts, api, game } = rig()
  api.claim.mockResolvedValueOnce(problem('unavailable')).mockResolvedValueOnce(claimed(0))
  expect(await afterTimers(accounts.claim())).toBeNull()
  expect(game.startOver).toHaveBeenCalledExactlyOnceWith({ claimed: { taps: 0, user: USER } })
})

test('says why nothing was claimed after a login: the hold had ended, or the browser keeps no cookies', async () => {
  const { accounts, api, session, game } = rig()
  await accounts.enterAndClaim('login', CREDENTIALS)
  expect(game.show).toHaveBeenLastCalledWith(
    'main',
    'The hold on your prize had ended, so nothing was claimed.',
  )
  api.claim.mockResolvedValue(problem('login_required'))
  expect(await accounts.enterAndClaim('login', CREDENTIALS)).toMatchObject({ title: MESSAGES.cookies })
  expect(session.signedIn, 'stays logged in').toHaveBeenCalledTimes(2)
})

test('says that the game needs cookies when the browser has not kept the session of a login', async () => {
  const { accounts, session, game } = rig()
  session.refetch.mockResolvedValue({ ...GUEST, rank: null })
  await accounts.enter('login', CREDENTIALS)
  await afterTimers(Promise.resolve())
  expect(game.show).toHaveBeenLastCalledWith('main', MESSAGES.cookies)
})

test('keeps the user when a logout is refused', async () => {
  const { accounts, api, session } = rig()
  api.logout.mockResolvedValue(problem('unavailable'))
  expect(await afterTimers(accounts.logout())).toMatchObject({ code: 'unavailable' })
  expect(session.renew).not.toHaveBeenCalled()
})

test('asks a user to log in who was logged out elsewhere, or by a change whose answer was lost', async () => {
  const { accounts, api, session, game } = rig()
  const { title } = problem('login_required')
  for (const call of [api.changePassword, api.deleteAccount]) {
    call.mockResolvedValueOnce(problem('unavailable')).mockResolvedValue(problem('login_required'))
  }
  await afterTimers(accounts.changePassword(PASSWORDS))
  await afterTimers(accounts.deleteAccount('old'))
  expect(game.show.mock.calls).toEqual([
    ['main', title],
    ['main', title],
  ])
  expect(session.refetch).toHaveBeenCalledTimes(2)
})
