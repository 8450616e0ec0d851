import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Claimed, SignedIn } from '../contract/api.ts'
import { createAccounts } from './accounts.ts'
import type { Answer, Api } from './api.ts'
import type { Game } from './game.ts'
import { problem } from './testing/problem.ts'
import { soon } from './testing/soon.ts'

const FILLED = { username: 'Ada', password: 'a long enough password' }
const ROUND = { token: 'token', target_time: 3.21 }
const PRIZE = { taps: 4, held_until: null, held_seconds: null }

const done = <Body>(body: Body): Answer<Body> => ({ ok: true, body })
const user = (taps_balance: number) => ({ id: 7, username: 'Ada', taps_balance })
const signedIn = (prize: SignedIn['prize'] = null) => done<SignedIn>({ user: user(0), prize, round: ROUND })
const claimed = (taps: number, balance: number) => done<Claimed>({ taps, user: user(balance) })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What a person can do with accounts, and what the page is told of it, in its order. */
function rig() {
  const told: string[] = []
  const tell = (what: string) => () => void told.push(what)
  const api = {
    login: vi.fn<Api['login']>(async () => signedIn()),
    createAccount: vi.fn<Api['createAccount']>(async () => signedIn()),
    claim: vi.fn<Api['claim']>(async () => claimed(4, 10)),
    logout: vi.fn<Api['logout']>(async () => done(null)),
  }
  const show = vi.fn<Game['show']>()
  const showClaimed = vi.fn<Game['showClaimed']>()
  const session = {
    signedIn: tell('signed in'),
    claimed: tell('claimed'),
    refetch: async () => void told.push('refetch'),
    renew: async () => void told.push('a new session'),
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
    game: { changeAccount, forget: tell('forget'), show, showClaimed },
    guests: { renew: tell('a new guest') },
    announce: tell('announce'),
  })
  return { accounts, api, show, showClaimed, told, isChanging: () => changing }
}

test.each([
  ['a blank name', { ...FILLED, username: ' ' }],
  ['no password', { ...FILLED, password: '' }],
])("refuses to send a form with %s, with the form's own message", async (_, filled) => {
  const { accounts, api, told } = rig()
  const title = 'Please enter both username and password'
  expect(await accounts.enter('login', filled)).toMatchObject({ code: 'missing_credentials', title })
  expect(await accounts.enterAndClaim('createAccount', filled)).toMatchObject({ title })
  for (const call of [api.login, api.createAccount, api.claim]) expect(call).not.toHaveBeenCalled()
  expect(told).toEqual([])
})

test.each(['login', 'createAccount'] as const)(
  '%s sends the credentials and returns to the game',
  async how => {
    const { accounts, api, show, told } = rig()
    expect(await accounts.enter(how, FILLED)).toBeNull()
    expect(api[how]).toHaveBeenCalledExactlyOnceWith(FILLED)
    expect(show).toHaveBeenCalledExactlyOnceWith('main')
    expect(told).toEqual(['signed in', 'refetch', 'announce'])
  },
)

test('blocks rounds and logout while a login, logout or claim is in progress', async () => {
  const { accounts, api, isChanging } = rig()
  const meanwhile: boolean[] = []
  const noting =
    <Body>(body: Body) =>
    async () => {
      meanwhile.push(isChanging())
      return body
    }
  api.login.mockImplementation(noting(signedIn(PRIZE)))
  api.claim.mockImplementation(noting(claimed(4, 10)))
  api.logout.mockImplementation(noting(done(null)))
  await accounts.enterAndClaim('login', FILLED)
  await accounts.claim()
  await accounts.logout()
  expect(meanwhile).toEqual([true, true, true, true])
})

test('opens claim mode after a login with a prize', async () => {
  const { accounts, api, show } = rig()
  api.login.mockResolvedValue(signedIn(PRIZE))
  await accounts.enter('login', FILLED)
  expect(show).toHaveBeenCalledExactlyOnceWith('claim')
})

test('shows the reason and changes nothing when a login is refused', async () => {
  const { accounts, api, show, told } = rig()
  api.login.mockResolvedValue(problem('invalid_password'))
  expect(await accounts.enter('login', FILLED)).toMatchObject({ title: 'Invalid password' })
  expect(await accounts.enterAndClaim('login', FILLED)).toMatchObject({ title: 'Invalid password' })
  expect(api.claim).not.toHaveBeenCalled()
  expect(show).not.toHaveBeenCalled()
  expect(told).toEqual([])
})

test('sends a login three times when its answer is lost', async () => {
  const { accounts, api } = rig()
  api.login.mockResolvedValue(problem('unavailable'))
  expect(await soon(accounts.enter('login', FILLED))).toMatchObject({ code: 'unavailable' })
  expect(api.login).toHaveBeenCalledTimes(3)
})

test('shows the claimed TAPS and the balance after a claim', async () => {
  const { accounts, showClaimed, told } = rig()
  expect(await accounts.claim()).toBeNull()
  expect(showClaimed).toHaveBeenCalledExactlyOnceWith({ taps: 4, user: user(10) })
  expect(told).toEqual(['claimed', 'refetch', 'announce'])
})

test('shows the balance when the first answer to a claim was lost', async () => {
  const { accounts, api, showClaimed } = rig()
  api.claim.mockResolvedValueOnce(problem('unavailable')).mockResolvedValueOnce(claimed(0, 1_234))
  expect(await soon(accounts.claim())).toBeNull()
  expect(showClaimed).toHaveBeenCalledExactlyOnceWith({ taps: 0, user: user(1_234) })
})

test('stays in claim mode and returns the problem when a claim is refused', async () => {
  const { accounts, api, show, told } = rig()
  api.claim.mockResolvedValue(problem('login_required'))
  expect(await accounts.claim()).toEqual(problem('login_required'))
  expect(show).not.toHaveBeenCalled()
  expect(told).toEqual(['refetch', 'announce'])
})

test('logs in and claims by one press', async () => {
  const { accounts, api, showClaimed, told } = rig()
  api.createAccount.mockResolvedValue(signedIn(PRIZE))
  expect(await accounts.enterAndClaim('createAccount', FILLED)).toBeNull()
  expect(showClaimed).toHaveBeenCalledExactlyOnceWith({ taps: 4, user: user(10) })
  expect(told).toEqual(['signed in', 'claimed', 'refetch', 'announce'])
})

test.each([
  ['what is held', PRIZE],
  ['what may be held', null],
])('stays logged in and returns the problem when the claim after a login fails %s', async (_, prize) => {
  const { accounts, api, show, told } = rig()
  api.login.mockResolvedValue(signedIn(prize))
  api.claim.mockResolvedValue(problem('too_many_requests'))
  expect(await accounts.enterAndClaim('login', FILLED)).toEqual(problem('too_many_requests'))
  expect(show).not.toHaveBeenCalled()
  expect(told).toEqual(['signed in', 'refetch', 'announce'])
})

test('says that nothing was held when the claim after a login comes too late', async () => {
  const { accounts, api, show } = rig()
  api.claim.mockResolvedValue(claimed(0, 0))
  await accounts.enterAndClaim('login', FILLED)
  expect(show).toHaveBeenLastCalledWith('main', 'Nothing was held for you any more, so nothing was claimed.')
})

test('starts a new guest with a new session after a logout', async () => {
  const { accounts, told } = rig()
  expect(await accounts.logout()).toBeNull()
  expect(told).toEqual(['a new guest', 'a new session', 'forget', 'announce'])
})

test('changes nothing when a logout is refused', async () => {
  const { accounts, api, told } = rig()
  api.logout.mockResolvedValue(problem('unavailable'))
  expect(await soon(accounts.logout())).toMatchObject({ code: 'unavailable' })
  expect(api.logout).toHaveBeenCalledTimes(3)
  expect(told).toEqual([])
})
