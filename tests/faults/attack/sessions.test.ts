import { afterAll, expect, it } from 'vitest'
import type { ProblemBody, Recorded } from '../../../contract/api.ts'
import { Client, type ClientRequest } from '../../support/client.ts'
import { report } from '../../support/size.ts'
import { gameStage } from '../../support/stage.ts'
import { Spy } from './spy.ts'

const PASSWORD = 'a long enough password'

const stage = gameStage(1)
const figures = { lives: 0, polls: 0 }

/** Somebody who uses a browser, first as a guest and then with an account. */
interface Owner {
  readonly browser: Client
  readonly guestName: string
  readonly name: string
  password: string
}

/** Plays a round that wins. */
async function play({ browser, guestName }: Owner): Promise<Recorded> {
  const { round } = await browser.session()
  return (await browser.play(round, 0, guestName)).body
}

async function signUp({ browser, name, password }: Owner): Promise<void> {
  expect((await browser.createAccount(name, password)).status).toBe(201)
}

async function signIn({ browser, name, password }: Owner): Promise<void> {
  expect((await browser.login(name, password)).status).toBe(200)
}

async function logOutAndIn(owner: Owner): Promise<void> {
  expect((await owner.browser.post('/api/logout')).status).toBe(204)
  await signIn(owner)
}

async function claim({ browser }: Owner): Promise<void> {
  expect((await browser.post('/api/claim')).status).toBe(200)
}

async function changePassword(owner: Owner): Promise<void> {
  const next = `${PASSWORD} two`
  const body = { password: owner.password, new_password: next }
  expect((await owner.browser.post('/api/password', body)).status).toBe(204)
  owner.password = next
}

async function deleteAccount({ browser, password }: Owner): Promise<void> {
  expect((await browser.post('/api/users/delete', { password })).status).toBe(204)
}

/** Sends what the account has played under a Start that the copied cookie was given before the sign-up. */
async function sendStale(spy: Spy, start: string, { attempt }: Recorded): Promise<void> {
  const stale = { start, username: 'Copy', actual_time: attempt.actual_time }
  const { status, body } = await spy.copy().post<ProblemBody & Partial<Recorded>>('/api/attempts', stale)
  expect({ status, code: body.code, attempt: body.attempt }).toEqual({ status: 409, code: 'stale_round' })
}

/** Where a planted cookie stands beside the browser's own of the same name: both are sent when path or domain differ. */
const PLACES = ['instead of', 'before', 'after'] as const

/** A browser into which another port or a subdomain has put a guest's cookie, which no answer of ours removes. */
class PlantedClient extends Client {
  readonly #planted: string
  readonly #place: (typeof PLACES)[number]

  constructor(url: string, planted: string, place: (typeof PLACES)[number]) {
    super(url)
    this.#planted = planted
    this.#place = place
  }

  override send<Body>(path: string, request: ClientRequest = {}) {
    const own = Array.from(this.cookies, pair => pair.join('='))
    const others = own.filter(pair => this.#place !== 'instead of' || !pair.includes('player='))
    const pairs = this.#place === 'after' ? [...others, this.#planted] : [this.#planted, ...others]
    return super.send<Body>(path, { ...request, headers: { cookie: pairs.join('; ') } })
  }
}

/** A browser, and the guest whose cookie somebody else has too: its own, copied, or one planted in it over plain http. */
async function openBrowser(how: 'copied' | (typeof PLACES)[number]) {
  const guest = new Client(stage.url())
  await guest.session()
  if (how === 'copied') return { browser: guest, guest }
  const [planted = ''] = Array.from(guest.cookies, pair => pair.join('='))
  return { browser: new PlantedClient(stage.url(), planted, how), guest }
}

const LIVES = (['copied', ...PLACES] as const).flatMap(how => [
  { how, entrance: 'sign-up' as const },
  { how, entrance: 'sign-in' as const },
])

it.each(LIVES)(
  'a guest’s cookie, $how the own one, shows nothing of an account from its $entrance to its end',
  async ({ how, entrance }) => {
    figures.lives += 1
    const { browser, guest } = await openBrowser(how)
    const [guestName, name] = [`Guest ${figures.lives}`, `Owner ${figures.lives}`]
    const owner: Owner = { browser, guestName, name, password: PASSWORD }
    const spy = new Spy(guest, guestName)
    if (entrance === 'sign-in') await signUp({ ...owner, browser: new Client(stage.url()) })
    await spy.during(async () => {
      await play(owner)
      const start = await browser.start((await browser.session()).round)
      await (entrance === 'sign-in' ? signIn : signUp)(owner)
      const seen = await spy.poll()
      // After a sign-in the cookie's guest is still one, who has played and holds nothing; after a sign-up nobody is left.
      expect(seen).toEqual({ held: 0, attempts: entrance === 'sign-in' ? expect.any(Number) : 0 })
      const played = await play(owner)
      if (entrance === 'sign-up') await sendStale(spy, start, played)
      for (const act of [claim, play, changePassword, logOutAndIn, play]) await act(owner)
      expect(await spy.poll()).toEqual(seen)
      await deleteAccount(owner)
      if (entrance === 'sign-up') await sendStale(spy, start, played)
      expect(await spy.poll()).toEqual(seen)
    })
    expect([...spy.leaks]).toEqual([])
    figures.polls += spy.polls
  },
)

afterAll(async () => {
  expect(await stage.auditor.unbalanced()).toBeNull()
  report('sessions', figures)
})
