import { afterAll, describe, expect, it } from 'vitest'
import type { AttemptList, ProblemBody, Recorded } from '../../../contract/api.ts'
import { Client, type ClientRequest } from '../../support/client.ts'
import { Random } from '../../support/random.ts'
import { report, SEED, sized } from '../../support/size.ts'
import { gameStage } from '../../support/stage.ts'
import { Spy } from './spy.ts'

const LIVES = sized(2, 500)
const PASSWORD = 'a long enough password'

const stage = gameStage(1)
const random = new Random(SEED)
const figures = { lives: 0, polls: 0, deletions: 0, 'stale starts': 0 }
let names = 0

const newName = () => `Owner ${SEED} ${names++}`
const chance = (share: number) => random.next() < share

/** Who uses a browser, first as a guest and then with an account. */
interface Owner {
  readonly browser: Client
  readonly guestName: string
  readonly name: string
  password: string
}

function newOwner(browser: Client): Owner {
  return { browser, guestName: `Guest ${names++}`, name: newName(), password: PASSWORD }
}

/** Plays a round, won or lost. */
async function play({ browser, guestName }: Owner): Promise<Recorded> {
  const { round } = await browser.session()
  return (await browser.play(round, random.whole(-150, 150), guestName)).body
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
  const next = `${PASSWORD} ${random.whole(0, 999)}`
  const body = { password: owner.password, new_password: next }
  expect((await owner.browser.post('/api/password', body)).status).toBe(204)
  owner.password = next
}

async function deleteAccount({ browser, password }: Owner): Promise<void> {
  expect((await browser.post('/api/users/delete', { password })).status).toBe(204)
  figures.deletions += 1
}

/** Of an account that plays, each as likely. */
const ACTS = [play, play, claim, changePassword, logOutAndIn] as const

async function actAsOwner(owner: Owner): Promise<void> {
  for (let acts = random.whole(0, 3); acts > 0; acts -= 1) await random.pick(ACTS)(owner)
}

/** A Start that the copy had stamped while the guest was one, sent with the time that the account was seen to play. */
async function sendStale(spy: Spy, start: string, { attempt }: Recorded): Promise<void> {
  const stale = { start, username: 'Copy', actual_time: attempt.actual_time }
  const { status, body } = await spy.copy().post<ProblemBody & Partial<Recorded>>('/api/attempts', stale)
  expect({ status, code: body.code, attempt: body.attempt }).toEqual({ status: 409, code: 'stale_round' })
  figures['stale starts'] += 1
}

/** Whoever signs up with a copy of a cookie whose account has gone is somebody new. */
async function expectNobody(spy: Spy): Promise<void> {
  const heir = spy.copy()
  const { status, body } = await heir.createAccount(newName(), PASSWORD)
  expect({ status, prize: body.prize }).toEqual({ status: 201, prize: null })
  expect((await heir.get<AttemptList>('/api/attempts/mine')).body.attempts).toEqual([])
}

/** A guest whose cookie is copied. */
async function openLife(browser = new Client(stage.url())): Promise<{ owner: Owner; spy: Spy }> {
  const owner = newOwner(browser)
  await owner.browser.session()
  return { owner, spy: new Spy(owner.browser, owner.guestName) }
}

/** The guest plays, signs up, acts and, mostly, deletes the account. */
async function liveFromSignUp(owner: Owner, spy: Spy): Promise<void> {
  for (let rounds = random.whole(0, 2); rounds > 0; rounds -= 1) await play(owner)
  const { round } = await owner.browser.session()
  const start = await spy.copy().start(round)
  await signUp(owner)
  expect(await spy.poll(), 'after the sign-up').toEqual({ held: 0, attempts: 0 })
  const played = await play(owner)
  await sendStale(spy, start, played)
  await actAsOwner(owner)
  if (chance(0.7)) {
    await deleteAccount(owner)
    await sendStale(spy, start, played)
    if (chance(0.3)) await expectNobody(spy)
  }
  expect(await spy.poll(), 'in the end').toEqual({ held: 0, attempts: 0 })
}

/** The guest plays, signs in to an account from elsewhere, acts and, at times, deletes it. */
async function liveFromSignIn(owner: Owner, spy: Spy): Promise<void> {
  await signUp({ ...owner, browser: new Client(stage.url()) })
  const rounds = random.whole(0, 2)
  for (let n = 0; n < rounds; n += 1) await play(owner)
  await signIn(owner)
  // The copy goes on being the guest, of whom nothing is held any more.
  expect(await spy.poll(), 'after the sign-in').toEqual({ held: 0, attempts: rounds })
  await play(owner)
  await actAsOwner(owner)
  if (chance(0.5)) await deleteAccount(owner)
  expect(await spy.poll(), 'in the end').toEqual({ held: 0, attempts: rounds })
}

describe('a copy of a guest’s cookie', () => {
  it(`shows nothing of the account, whatever its owner does, in ${LIVES} lives`, async () => {
    for (let life = 0; life < LIVES; life += 1) {
      const { owner, spy } = await openLife()
      await spy.during(() => (life % 2 === 0 ? liveFromSignUp : liveFromSignIn)(owner, spy))
      expect([...spy.leaks]).toEqual([])
      figures.lives += 1
      figures.polls += spy.polls
    }
  })
})

/** Where it stands beside the victim's own of the same name: a browser sends both when path or domain differ. */
const PLACES = ['instead of', 'before', 'after'] as const

/** A browser into which another port or a subdomain has put a guest's cookie that no answer removes. */
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

/** A guest's cookie that somebody keeps, and puts into other people's browsers. */
async function openPlanter(): Promise<{ planter: Client; planted: string }> {
  const planter = new Client(stage.url())
  await planter.session()
  const [planted = ''] = Array.from(planter.cookies, pair => pair.join('='))
  return { planter, planted }
}

describe('a guest’s cookie that was planted before the sign-in, on plain http', () => {
  const ways = PLACES.flatMap(place => [
    { place, how: 'sign-up' },
    { place, how: 'sign-in' },
  ])
  it.each(ways.slice(sized(-2, 0)))(
    '$place the own one, at a $how, gives the planter nothing',
    async ({ place, how }) => {
      const { planter, planted } = await openPlanter()
      const owner = newOwner(new PlantedClient(stage.url(), planted, place))
      const spy = new Spy(planter, owner.guestName)
      if (how === 'sign-in') await signUp({ ...owner, browser: new Client(stage.url()) })
      await spy.during(async () => {
        await play(owner)
        await (how === 'sign-in' ? signIn : signUp)(owner)
        const seen = await spy.poll()
        expect(seen.held).toBe(0)
        for (const act of [play, claim, play, changePassword, logOutAndIn, play]) await act(owner)
        expect(await spy.poll()).toEqual(seen)
        await deleteAccount(owner)
        expect(await spy.poll()).toEqual(seen)
      })
      expect([...spy.leaks]).toEqual([])
      figures.polls += spy.polls
    },
  )

  it('does not take the place of a session', async () => {
    const { planted } = await openPlanter()
    const owner = newOwner(new PlantedClient(stage.url(), planted, 'after'))
    await signUp(owner)
    expect((await owner.browser.session()).user?.username).toBe(owner.name)
  })
})

afterAll(async () => {
  expect(await stage.auditor.unbalanced()).toBeNull()
  report('sessions', figures)
})
