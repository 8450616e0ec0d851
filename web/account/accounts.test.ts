import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Claimed, SignedIn } from '../../contract/api.ts'
import { MESSAGES } from '../lib/messages.ts'
import type { Answer, Api } from '../net/api.ts'
import type { Game } from '../round/game.ts'
import { afterTimers } from '../testing/after-timers.ts'
import { problem } from '../testing/problem.ts'
import { createAccounts } from './accounts.ts'

const CREDENTIALS = { username: 'Ada', password: 'a long enough password' }
const ROUND = { token: 'token', target_time: 3.21 }
const PRIZE = { taps: 4, held_until: null, held_seconds: null }

const done = <Body>(body: Body): Answer<Body> => ({ ok: true, body })
const user = (taps_balance: number) => ({ id: 7, username: 'Ada', taps_balance })
const signedIn = (prize: SignedIn['prize'] = null) => done<SignedIn>({ user: user(0), prize, round: ROUND })
const claimed = (taps: number, balance: number) => done<Claimed>({ taps, user: user(balance) })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns accounts, their mocked dependencies, and the calls in order. */
function rig() {
  const calls: string[] = []
  const record = (call: string) => () => void calls.push(call)
  const api = {
    login: vi.fn<Api['login']>(async () => signedIn()),
    createAccount: async () => signedIn(),
    claim: vi.fn<Api['claim']>(async () => claimed(4, 10)),
    logout: vi.fn<Api['logout']>(async () => done(null)),
  }
  const show = vi.fn<Game['show']>()
  const showClaimed = vi.fn<Game['showClaimed']>()
  const session = {
    signedIn: record('signed in'),
    claimed: record('claimed'),
    refetch: async () => {
      calls.push('refetch')
      return null
    },
    renew: async () => void calls.push('a new session'),
  }
  let changing = false
  const changeAccount: Game['changeAccount'] = async change => {
    changing = true
    const answer = await change()
    changing = false
    return answer
  }
  const accounts = createAccounts({
    api,
    session,
    game: { changeAccount, forget: record('forget'), show, showClaimed },
    guests: { renew: record('a new guest') },
    announce: record('announce'),
  })
  return { accounts, api, show, showClaimed, calls, isChanging: () => changing }
}

test('marks the account as changing during a login, logout or claim', async () => {
  const { accounts, api, isChanging } = rig()
  const states: boolean[] = []
  const recordingState =
    <Body>(body: Body) =>
    async () => {
      states.push(isChanging())
      return body
    }
  api.login.mockImplementation(recordingState(signedIn(PRIZE)))
  api.claim.mockImplementation(recordingState(claimed(4, 10)))
  api.logout.mockImplementation(recordingState(done(null)))
  await accounts.enterAndClaim('login', CREDENTIALS)
  await accounts.claim()
  await accounts.logout()
  expect(states).toEqual([true, true, true, true])
})

test('sends a login three times when its answer is lost', async () => {
  const { accounts, api } = rig()
  api.login.mockResolvedValue(problem('unavailable'))
  expect(await afterTimers(accounts.enter('login', CREDENTIALS))).toMatchObject({ code: 'unavailable' })
  expect(api.login).toHaveBeenCalledTimes(3)
})

test('shows the balance when the first answer to a claim was lost', async () => {
  const { accounts, api, showClaimed } = rig()
  api.claim.mockResolvedValueOnce(problem('unavailable')).mockResolvedValueOnce(claimed(0, 1_234))
  expect(await afterTimers(accounts.claim())).toBeNull()
  expect(showClaimed).toHaveBeenCalledExactlyOnceWith({ taps: 0, user: user(1_234) })
})

test('stays in claim mode and returns the problem when a claim is refused', async () => {
  const { accounts, api, show, calls } = rig()
  api.claim.mockResolvedValue(problem('login_required'))
  expect(await accounts.claim()).toEqual(problem('login_required'))
  expect(show).not.toHaveBeenCalled()
  expect(calls).toEqual(['refetch', 'announce'])
})

test.each([
  ['a known prize', PRIZE],
  ['no known prize', null],
])('stays logged in and returns the problem when the claim after a login with %s fails', async (_, prize) => {
  const { accounts, api, show, calls } = rig()
  api.login.mockResolvedValue(signedIn(prize))
  api.claim.mockResolvedValue(problem('too_many_requests'))
  expect(await accounts.enterAndClaim('login', CREDENTIALS)).toEqual(problem('too_many_requests'))
  expect(show).not.toHaveBeenCalled()
  expect(calls).toEqual(['signed in', 'refetch', 'announce'])
})

test('says that nothing was claimed when the hold ended before the login', async () => {
  const { accounts, api, show } = rig()
  api.claim.mockResolvedValue(claimed(0, 0))
  await accounts.enterAndClaim('login', CREDENTIALS)
  expect(show).toHaveBeenLastCalledWith('main', 'The hold on your prize had ended, so nothing was claimed.')
})

test('changes nothing when a logout is refused', async () => {
  const { accounts, api, calls } = rig()
  api.logout.mockResolvedValue(problem('unavailable'))
  expect(await afterTimers(accounts.logout())).toMatchObject({ code: 'unavailable' })
  expect(api.logout).toHaveBeenCalledTimes(3)
  expect(calls).toEqual([])
})

test('says that the game needs cookies when the claim right after a login needs a login', async () => {
  const { accounts, api } = rig()
  api.claim.mockResolvedValue(problem('login_required'))
  expect(await accounts.enterAndClaim('login', CREDENTIALS)).toMatchObject({ title: MESSAGES.cookies })
})
