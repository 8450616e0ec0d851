import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Recorded, Round, Start } from '../../../contract/api.ts'
import { report, sized } from '../../support/size.ts'
import { ownStage } from '../../support/stage.ts'
import { Viewer } from '../../support/viewer.ts'
import { Attacker, Statuses, Visitor } from './visitor.ts'

/** A class at one address, of whom one attacks. */
const NEIGHBOURS = 39
/** In the short version all at once; in the long one for a minute, without a pause. */
const ROUNDS = sized(2, 17)
/** The mean target, and what a slip of the hand does not count after Stop. */
const ROUND_MS = sized(0, 3_450)
const PER_SECOND = 280
/** More than an address had of Starts and of reads while each was counted before it was looked at. */
const BEFORE = 3_200

const stage = ownStage({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })

/** Somebody at the address who has come to the page. */
async function arrive(address: string): Promise<{ visitor: Visitor; round: Round }> {
  const visitor = new Visitor(stage.node.url, address)
  return { visitor, round: (await visitor.session()).round }
}

/** Plays, and reads what the page reads; notes what became of each call. */
async function play(visitor: Visitor, first: Round, name: string, statuses: Statuses): Promise<void> {
  let round = first
  for (let n = 0; n < ROUNDS; n += 1) {
    const started = await visitor.post<Start>('/api/rounds', { round: round.token, username: name })
    statuses.add(started)
    await sleep(ROUND_MS)
    const stop = { start: started.body.start ?? 'none', username: name, actual_time: 5.5 }
    const stopped = await visitor.post<Recorded>('/api/attempts', stop)
    statuses.add(stopped)
    round = stopped.body.round ?? round
  }
  for (const path of ['/api/session', '/api/attempts/mine', '/api/leaderboard']) {
    statuses.add(await visitor.get(path))
  }
}

interface Attack {
  readonly name: string
  readonly path: string
  readonly body?: (round: Round) => unknown
  /** The guest, where it does not say who else. */
  readonly by?: (guest: Visitor) => Visitor
}

function withSession({ url, address }: Visitor): Visitor {
  const visitor = new Visitor(url, address)
  visitor.cookies.set('taps-session', 'x'.repeat(43))
  return visitor
}

const ATTACKS: readonly Attack[] = [
  { name: 'Starts', path: '/api/rounds', body: round => ({ round: round.token }) },
  { name: 'reads', path: '/api/prize-pool' },
  { name: 'tokens that are not ours', path: '/api/rounds', body: () => ({ round: 'none' }) },
  {
    name: 'tokens that are not ours, without a cookie',
    path: '/api/rounds',
    body: () => ({ round: 'none' }),
    by: ({ url, address }) => new Visitor(url, address),
  },
  { name: 'sessions that are none', path: '/api/leaderboard', by: withSession },
]

test.each(
  ATTACKS.slice(0, sized(1, ATTACKS.length)).map((attack, n) => ({ ...attack, address: `192.0.2.${n + 1}` })),
)(
  `${PER_SECOND} $name a second of one guest cost ${NEIGHBOURS} neighbours nothing`,
  async ({ name, address, path, body, by = guest => guest }) => {
    const guest = await arrive(address)
    const neighbours = await Promise.all(Array.from({ length: NEIGHBOURS }, () => arrive(address)))
    const from = by(guest.visitor)
    const json = body?.(guest.round)
    await from.flood(BEFORE, path, json)
    const attacker = new Attacker(() => from.send(path, { method: json ? 'POST' : 'GET', json }))
    attacker.goOn(PER_SECOND)
    const calls = new Statuses()
    await Promise.all(neighbours.map(({ visitor, round }, n) => play(visitor, round, `Pupil ${n}`, calls)))
    // Who comes only now, too.
    calls.add(await new Visitor(stage.node.url, address).get('/api/session'))
    await attacker.end()
    report(`beside ${PER_SECOND} ${name} a second`, {
      attack: attacker.statuses.toString(),
      neighbours: calls.toString(),
    })
    expect(attacker.statuses.counts[429]).toBeGreaterThan(0)
    expect(calls.served).toBeGreaterThanOrEqual(0.99)
  },
)

/** Opens the live stream, and says how it was answered. */
async function watch(
  address: string,
  visitor?: Visitor,
): Promise<{ status: number; end: () => Promise<void> }> {
  const cookie = Array.from(visitor?.cookies ?? [], ([name, value]) => `${name}=${value}`).join('; ')
  const viewer = await Viewer.open(stage.node.url, { 'x-forwarded-for': address, cookie })
  return { status: viewer.response.status, end: () => viewer.close() }
}

test.each([
  ['one guest', '192.0.2.101', true],
  ['somebody without a cookie', '192.0.2.102', false],
])('neighbours watch while %s opens streams and keeps them', async (_, address, isGuest) => {
  const { visitor } = await arrive(address)
  const neighbours = await Promise.all(Array.from({ length: NEIGHBOURS }, () => arrive(address)))
  const open = () => watch(address, isGuest ? visitor : undefined)
  const hoard = await Promise.all(Array.from({ length: 150 }, open))
  const streams = await Promise.all(neighbours.map(({ visitor }) => watch(address, visitor)))
  await Promise.all([...hoard, ...streams].map(({ end }) => end()))
  expect(hoard.some(({ status }) => status === 429)).toBe(true)
  expect(streams.map(({ status }) => status)).toEqual(Array(NEIGHBOURS).fill(200))
})

test('whoever may read the figures reads them, whatever others read', async () => {
  const reader = new Attacker(n =>
    new Visitor(stage.node.url, `198.51.100.${n % 50}`).get('/api/openapi.json'),
  )
  const scanner = new Attacker(n => new Visitor(stage.node.url, `198.51.100.${n % 50}`).get('/metrics'))
  await Promise.all([reader.burst(sized(100, 7_000)), scanner.burst(sized(700, 7_000))])
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () => (await fetch(`${stage.node.url}/metrics`)).status),
  )
  report('figures', { documents: reader.statuses.toString(), scans: scanner.statuses.toString() })
  expect(new Set(statuses)).toEqual(new Set([200]))
})
