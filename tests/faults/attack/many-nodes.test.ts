import { expect, it, vi } from 'vitest'
import type { Claimed, Recorded, Session } from '../../../contract/api.ts'
import { CONCURRENCY, LIMITS, type LimitName } from '../../../contract/limits.ts'
import type { Answer } from '../../support/client.ts'
import { LONG, report, sized } from '../../support/size.ts'
import { sharedStage } from '../../support/stage.ts'
import { Viewer } from '../../support/viewer.ts'
import { Statuses, Visitor } from './visitor.ts'

const NODES = 3
/** So many more than all nodes together let through at once. */
const BEYOND = 3
const PASSWORD = 'a long enough password'
/** As many rounds as are looked at of one player; see `server/game/steadiness.ts`. */
const STEADY = 40

const stage = sharedStage(NODES, { RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })

/** A balancer: the same browser on the node of its n-th request. */
type Balancer = (visitor: Visitor, n: number) => Visitor

const at = (visitor: Visitor, n: number): Visitor => {
  const there = new Visitor(stage.nodes[n % NODES]?.url ?? '', visitor.address)
  for (const [name, value] of visitor.cookies) there.cookies.set(name, value)
  return there
}

const WAYS: readonly [string, Balancer, number][] = [
  ['stays with its node', visitor => at(visitor, 0), 1],
  ['comes to any node', at, NODES],
]

/** What one node lets through is tested elsewhere, too. */
const BALANCED = WAYS.slice(sized(1, 0))

const onEach = <Result>(visitor: Visitor, act: (there: Visitor) => Promise<Result>): Promise<Result[]> =>
  Promise.all(stage.nodes.map((_, n) => act(at(visitor, n))))

let addresses = 0
const newcomer = () => new Visitor(stage.nodes[0].url, `192.0.2.${++addresses}`)

/** Sends so many, one after the other; says how many were served, and compares that with a limit. */
async function useUp(
  limit: LimitName,
  times: number,
  send: (n: number) => Promise<Answer<unknown>>,
  isServed: (status: number) => boolean,
): Promise<void> {
  const { burst, perMinute } = LIMITS[limit]
  const statuses = new Statuses()
  const began = performance.now()
  let served = 0
  for (let n = 0; n < (burst + BEYOND) * NODES; n += 1) {
    const answer = await send(n)
    statuses.add(answer)
    if (isServed(answer.status)) served += 1
  }
  const minutes = (performance.now() - began) / 60_000
  report(`${limit}, ${times === 1 ? 'one node' : `${NODES} nodes`}`, { answers: statuses.toString() })
  expect(served).toBeGreaterThanOrEqual(burst * times)
  // What has come back meanwhile, and of each node one that was nearly there.
  expect(served).toBeLessThanOrEqual((burst + perMinute * minutes + 1) * times)
}

/** Each try is a hash: seconds of a core. */
it.runIf(LONG).each(WAYS)(
  'an address that %s has as many tries at a password as that',
  async (_, balance, times) => {
    const guesser = newcomer()
    const name = `Guessed At ${times}`
    expect((await newcomer().createAccount(name, PASSWORD)).status).toBe(201)
    const guess = (n: number) => balance(guesser, n).login(name, `${PASSWORD} ${n}`)
    await useUp('wrongPasswords', times, guess, status => status === 401)
  },
)

it.each(BALANCED)('an address that %s has as many new guests as that', async (_, balance, times) => {
  const { address, url } = newcomer()
  const arrive = (n: number) => balance(new Visitor(url, address), n).get('/api/session')
  await useUp('identities', times, arrive, status => status === 200)
})

it.each(WAYS)('a player who %s has as many streams as that', async (_, balance, times) => {
  const player = newcomer()
  await player.session()
  const { ofAddress } = CONCURRENCY.streamsOfPlayer
  const cookie = Array.from(player.cookies, ([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'x-forwarded-for': player.address }
  const count = (ofAddress + BEYOND) * NODES
  const viewers = await Promise.all(
    Array.from({ length: count }, (_, n) => Viewer.open(balance(player, n).url, headers)),
  )
  const statuses = viewers.map(({ response }) => response.status)
  await Promise.all(viewers.map(viewer => viewer.close()))
  expect(statuses.filter(status => status === 200)).toHaveLength(ofAddress * times)
  expect(statuses.filter(status => status === 429)).toHaveLength(count - ofAddress * times)
})

it('all nodes together give one target, record a round once, pay a win once and make a name once', async () => {
  const winner = newcomer()
  const { round } = await winner.session()
  const rounds = await onEach(winner, async there => (await there.session()).round)
  expect(rounds).toEqual(stage.nodes.map(() => round))

  const username = 'On Every Node'
  const attempt = { start: await winner.start(round), username, actual_time: round.target_time }
  const recorded = await onEach(winner, there => there.post<Recorded>('/api/attempts', attempt))
  expect(recorded.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  expect(new Set(recorded.map(({ body }) => body.attempt.id)).size).toBe(1)
  const won = recorded[0]?.body.attempt.won_taps

  const accounts = stage.nodes.map((_, n) => at(winner, n).createAccount(username, `${PASSWORD} ${n}`))
  const made = await Promise.all(accounts)
  expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  const owner = at(winner, 0)
  await owner.login(username, `${PASSWORD} ${made.findIndex(({ status }) => status === 201)}`)

  const claims = await onEach(owner, there => there.post<Claimed>('/api/claim'))
  expect(claims.reduce((sum, { body }) => sum + body.taps, 0)).toBe(won)
  await owner.copy().post('/api/logout')
  const users = await onEach(owner, async there => (await there.get<Session>('/api/session')).body.user)
  expect(users).toEqual(stage.nodes.map(() => null))
})

it('who is too steady on any nodes is flagged on all of them', async () => {
  const script = newcomer()
  let { round } = await script.session()
  const play = async (n: number) => {
    const { body } = await at(script, n).play(round, 60)
    round = body.round
    return body.reason
  }
  for (let n = 0; n < STEADY; n += 1) await play(n)
  const flags = () => stage.auditor.read(pool => pool.query('select from flags'))
  await vi.waitFor(async () => expect((await flags()).rowCount).toBe(1), { timeout: 20_000, interval: 50 })
  const reasons = []
  for (let n = 0; n < NODES; n += 1) reasons.push(await play(n))
  expect(reasons).toEqual(stage.nodes.map(() => 'flagged'))
})
