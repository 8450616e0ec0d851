import { expect, it } from 'vitest'
import type { Claimed, ProblemBody, Recorded, Start } from '../../contract/api.ts'
import { WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import type { Acknowledged } from '../support/audit.ts'
import type { Answer } from '../support/client.ts'
import { PatientClient } from '../support/patient-client.ts'
import { Random } from '../support/random.ts'
import { SEED, sized } from '../support/size.ts'
import { gameStage } from '../support/stage.ts'
import { Gate } from './gate.ts'
import { LedgerWatch } from './ledger-watch.ts'

const RACES = sized(2, 200)
const NODES = 3
/** One racer for each kind of holder on each node. */
const RACERS = 4 * NODES
const PASSWORD = 'a long enough password'
const FRIEND = 'A friend'

const random = new Random(SEED)
const stage = gameStage(NODES)

/** A player with a held prize and a started round. Every other player has an account with a balance. */
interface Racer {
  readonly place: number
  readonly name: string
  readonly browser: PatientClient
  readonly start: Start
}

type Body = Partial<Recorded & Claimed & ProblemBody> | null

interface Call {
  readonly isFor: (place: number) => boolean
  readonly send: (racer: Racer) => Promise<Pick<Answer<Body>, 'status' | 'body'>>
  /** The allowed statuses and refusals. */
  readonly answers: readonly string[]
}

/** A call of each database function that moves TAPS. Holders of four kinds send different calls. */
const CALLS = {
  record_batch: {
    isFor: () => true,
    send: ({ browser, start }) => browser.stop(start, random.whole(-WIN_TOLERANCE_MS, WIN_TOLERANCE_MS)),
    answers: ['200', '201', 'stale_round'],
  },
  claim_taps: {
    isFor: place => place % 2 === 0,
    send: ({ browser }) => browser.post('/api/claim'),
    answers: ['200', 'login_required'],
  },
  delete_player: {
    isFor: place => place % 4 === 0,
    send: ({ browser }) => browser.post('/api/users/delete', { password: PASSWORD }),
    answers: ['204'],
  },
  create_account: {
    isFor: place => place % 4 === 1,
    send: ({ browser, name }) => browser.createAccount(name, PASSWORD),
    answers: ['200', '201'],
  },
  ban_account: {
    isFor: place => place % 4 === 2,
    send: ({ name }) => ban(name),
    answers: ['200'],
  },
  open_session: {
    isFor: place => place % 4 === 3,
    send: ({ browser }) => browser.login(FRIEND, PASSWORD),
    answers: ['200'],
  },
} satisfies Record<string, Call>
type CallName = keyof typeof CALLS

/** Bans as an operator does, who uses no HTTP. */
async function ban(name: string) {
  await stage.auditor.rows('select ban_account(id) from users where username = $1', [name])
  return { status: 200, body: null }
}

/** The number of racers so far, for their names. */
let racers = 0

async function openRacer(place: number): Promise<Racer> {
  const browser = new PatientClient(() => stage.url(place))
  const isMember = CALLS.claim_taps.isFor(place)
  const name = `Racer ${++racers}`
  if (isMember) await browser.createAccount(name, PASSWORD)
  await browser.play(0, name)
  if (isMember) {
    await browser.post('/api/claim')
    await browser.play(40)
  }
  // Misses, so that the winners of a race find TAPS in the pool.
  await browser.play(500)
  return { place, name, browser, start: await browser.start() }
}

/** Sends the calls in this order while the gate is closed, then opens the gate and checks the answers. */
async function race(names: readonly CallName[], expires: boolean): Promise<void> {
  const racers = await Promise.all(Array.from({ length: RACERS }, (_, place) => openRacer(place)))
  const gate = await Gate.close(stage.connection)
  if (expires) {
    await stage.auditor.once('update holds set held_until = now() where held_until is not null')
    await gate.holds('expire_holds')
  }
  const acknowledged: Acknowledged[] = []
  const credited = new Map<string, number>()
  const deleted: string[] = []
  const send = async (call: Call, racer: Racer) => {
    const { status, body } = await call.send(racer)
    expect(call.answers, JSON.stringify(body)).toContain(body?.code ?? `${status}`)
    if (body?.attempt) acknowledged.push(body.attempt)
    if (body?.user) credited.set(body.user.username, body.user.taps_balance)
    if (status === 204) deleted.push(racer.name)
  }
  const answers: Promise<void>[] = []
  for (const name of names) {
    const call: Call = CALLS[name]
    answers.push(...racers.filter(({ place }) => call.isFor(place)).map(racer => send(call, racer)))
    await gate.holds(name, name === 'record_batch' ? NODES : 1)
  }
  await gate.open()
  await Promise.all(answers)
  for (const name of deleted) credited.delete(name)
  expect(await stage.auditor.lost({ acknowledged, credited })).toEqual([])
  const left = 'select username from attempts union all select username from users'
  const named = `select username from (${left}) as names where username = any($1)`
  expect(await stage.auditor.rows(named, [deleted])).toEqual([])
}

it('pays each TAPS once when players win and claim simultaneously on three nodes', async () => {
  const watch = new LedgerWatch(stage.auditor)
  for (let count = 0; count < RACES; count += 1)
    await race(random.shuffle(['record_batch', 'claim_taps']), false)
  await watch.stop()
  expect(await stage.auditor.unshared()).toEqual([])
})

it('keeps the ledger balanced when holds expire and accounts are deleted during wins, sign-ups and claims', async () => {
  await new PatientClient(stage.url).createAccount(FRIEND, PASSWORD)
  const watch = new LedgerWatch(stage.auditor)
  for (let count = 0; count < RACES; count += 1)
    await race(random.shuffle(Object.keys(CALLS) as CallName[]), true)
  await watch.stop()
  expect(await stage.auditor.contradictions()).toEqual([])
})
