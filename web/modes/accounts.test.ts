import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Claimed, SignedIn } from '../../contract/api.ts'
import { createStore } from '../lib/store.ts'
import { MESSAGES, OUTCOME_UNKNOWN } from '../messages.ts'
import { type Answer, type Api, pageProblem } from '../net/api.ts'
import type { Game } from '../round/game.ts'
import type { SessionKeeper, SessionState } from '../session/session.ts'
import { afterTimers } from '../testing/after-timers.ts'
import { GUEST, gameRig, RECORD } from '../testing/game.ts'
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
  const state = createStore<SessionState>({ session: { ...GUEST, user: USER }, waiting: null })
  const session = { state, signedIn: vi.fn(), claimed: vi.fn(), refetch, renew: vi.fn() }
  const changeAccount = vi.fn((change: () => unknown) => change()) as Game['changeAccount']
  const { state: shown } = gameRig().game
  const game = { state: shown, changeAccount, show: vi.fn(), startOver: vi.fn() }
  const guests = { renew: vi.fn() }
  const announce = vi.fn()
  const accounts = createAccounts({ api, session, game, guests, announce })
  return { accounts, api, session, game, guests, announce }
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
  session.refetch.mockResolvedValue({ ...GUEST, rank: null, record: RECORD })
  await accounts.enter('login', CREDENTIALS)
  await afterTimers(Promise.resolve())
  expect(game.show).toHaveBeenLastCalledWith('main', MESSAGES.cookies)
})

test.each([
  ['still logged in', USER, 'The game did not answer, so you are still logged in. Please try again.', 0],
  ['logged out', null, undefined, 1],
] as const)('a logout whose answer says nothing finds out who is %s', async (_, user, title, renewals) => {
  const { accounts, api, session, game, guests } = rig()
  api.logout.mockResolvedValue(pageProblem('stranger', 'no answer'))
  session.refetch.mockResolvedValue({ ...GUEST, user, rank: null, record: RECORD })
  expect((await afterTimers(accounts.logout()))?.title).toBe(title)
  expect(guests.renew).toHaveBeenCalledTimes(renewals)
  expect(game.startOver).toHaveBeenCalledTimes(renewals)
  expect(session.renew).not.toHaveBeenCalled()
})

test('a logout says that the user may still be logged in when nothing answers, and looks at nothing when refused', async () => {
  const { accounts, api, session } = rig()
  api.logout.mockResolvedValue(problem('unavailable'))
  expect(await afterTimers(accounts.logout())).toMatchObject({ title: expect.stringMatching(/may still be/) })
  api.logout.mockResolvedValue(problem('too_many_requests'))
  expect(await accounts.logout()).toEqual(problem('too_many_requests'))
  expect(session.refetch).toHaveBeenCalledOnce()
})

const LOST = pageProblem('network', 'lost')
const WRONG = problem('invalid_password')
const UNANSWERED: [string, Answer<null>[]][] = [
  ['nothing answers', [LOST, LOST, LOST]],
  ['only a stranger answers', Array(3).fill(pageProblem('stranger', 'proxy'))],
  ['the session has ended', [problem('login_required')]],
  ['the session has been replaced', [problem('password_changed')]],
  ['the password is wrong after a lost answer', [LOST, WRONG]],
]

describe.each(UNANSWERED)('when %s,', (_what, answers) => {
  test.each([
    ['asks a guest to log in', null, OUTCOME_UNKNOWN.password, OUTCOME_UNKNOWN.deletion, 'login'],
    [
      'tells a user under the form',
      USER,
      OUTCOME_UNKNOWN.password,
      'Your account has not been deleted.',
      undefined,
    ],
    [
      'tells under the form what is unknown without a session',
      undefined,
      OUTCOME_UNKNOWN.password,
      OUTCOME_UNKNOWN.deletion,
      undefined,
    ],
  ] as const)('a change %s', async (_, user, ofPassword, ofDeletion, view) => {
    const { accounts, api, session, game } = rig()
    session.refetch.mockResolvedValue(
      user === undefined ? null : { ...GUEST, user, rank: null, record: RECORD },
    )
    for (const answer of answers) {
      api.changePassword.mockResolvedValueOnce(answer)
      api.deleteAccount.mockResolvedValueOnce(answer)
    }
    expect((await afterTimers(accounts.changePassword(PASSWORDS)))?.title).toBe(ofPassword)
    expect(game.show.mock.lastCall).toEqual(view && [view, ofPassword])
    expect((await afterTimers(accounts.deleteAccount('old')))?.title).toBe(ofDeletion)
    expect(game.show.mock.lastCall).toEqual(view && [view, ofDeletion])
    expect([session.renew, game.startOver, api.login].flatMap(({ mock }) => mock.calls)).toEqual([])
  })
})

test.each([
  ['a wrong password', WRONG],
  ['a limit', problem('too_many_requests')],
])('a change that is refused for %s was not made, so the session is not read', async (_, refusal) => {
  const { accounts, api, session, game } = rig()
  api.changePassword.mockResolvedValue(refusal)
  api.deleteAccount.mockResolvedValue(refusal)
  expect(await accounts.changePassword(PASSWORDS)).toEqual(refusal)
  expect(await accounts.deleteAccount('old')).toEqual(refusal)
  expect(session.refetch).not.toHaveBeenCalled()
  expect(game.show).not.toHaveBeenCalled()
})
