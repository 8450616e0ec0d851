import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Claimed, Problem, Recorded } from '../contract/api.ts'
import { type Answer, Client } from '../server/testing/client.ts'
import { Dice } from '../server/testing/dice.ts'
import { Gate } from './gate.ts'
import { LedgerWatch } from './ledger-watch.ts'
import { report, SEED, sized } from './size.ts'
import { sharedStage } from './stage.ts'

const RACES = sized(3, 100)
const LEAST_READS = sized(30, 500)
const NODES = 2
const READ_PAUSE_MS = 10
const PASSWORD = 'a long enough password'

const dice = new Dice(SEED)
const stage = sharedStage(NODES)
let watch: LedgerWatch

beforeAll(() => {
  watch = new LedgerWatch(stage.auditor, READ_PAUSE_MS)
})

afterAll(() => watch.stop())

function nodeUrl(): string {
  return stage.nodes[dice.whole(0, NODES - 1)]?.url ?? ''
}

/** An account with a balance and a prize held for it, in a browser that is in the middle of a round. */
async function openAccount(name: string) {
  const browser = new Client(nodeUrl())
  const { body } = await browser.createAccount(name, PASSWORD)
  const { body: first } = await browser.play(body.round, 0)
  await browser.post('/api/claim')
  const { body: second } = await browser.play(first.round, 40)
  const { round } = second
  return {
    browser,
    attempt: { start: await browser.start(round), username: name, actual_time: round.target_time },
  }
}

/** A guest with a prize. */
async function openHold(): Promise<void> {
  const guest = new Client(nodeUrl())
  await guest.play((await guest.session()).round, 0)
}

/** Each on a node of its own, all of them waiting behind one lock until it opens, in any order. */
async function race(name: string) {
  const { browser, attempt } = await openAccount(name)
  await openHold()
  const gate = await Gate.close(stage.postgres.connection)
  await stage.auditor.once('update holds set held_until = now() where held_until is not null')
  await gate.holds('return_prizes')
  const acts: [string, Promise<Answer<Partial<Recorded & Claimed & Problem> | null>>][] = []
  for (const [statement, path, json] of dice.shuffle([
    ['record_attempts', '/api/attempts', attempt],
    ['claim_taps', '/api/claim', undefined],
    ['delete_account', '/api/users/delete', { password: PASSWORD }],
  ] as const)) {
    acts.push([path, browser.copy(nodeUrl()).post(path, json)])
    await gate.holds(statement)
  }
  await gate.open()
  return Promise.all(acts.map(async ([path, answer]) => ({ path, ...(await answer) })))
}

it('deletes an account, while it wins, claims and holds return, so that no TAPS is lost or made', async () => {
  let late = 0
  for (let number = 0; number < RACES; number += 1) {
    const answers = await race(`Leaver ${number}`)
    const order = answers.map(({ path }) => path)
    const deleted = order.indexOf('/api/users/delete')
    expect(answers[deleted]?.status).toBe(204)
    for (const [place, { path, status, body }] of answers.entries()) {
      if (place === deleted) continue
      // Whoever comes after the deletion finds no account, and is told so.
      const refusal = path === '/api/claim' ? 'login_required' : 'stale_round'
      expect(place < deleted ? status : body?.code, `${path} in ${order}`).toBe(
        place < deleted ? (path === '/api/claim' ? 200 : 201) : refusal,
      )
      late += place < deleted ? 0 : 1
    }
    expect(await stage.auditor.unbalanced()).toBeNull()
  }

  expect(
    await stage.auditor.read(pool => pool.query('select from users')).then(({ rowCount }) => rowCount),
  ).toBe(0)
  expect(
    await stage.auditor.read(pool => pool.query('select from sessions')).then(({ rowCount }) => rowCount),
  ).toBe(0)
  const named = await stage.auditor.read(pool =>
    pool.query("select from attempts where username like 'Leaver%'"),
  )
  expect(named.rowCount).toBe(0)
  expect(await stage.auditor.contradictions()).toEqual([])
  expect(await stage.auditor.miscredited()).toEqual([])
  expect(watch.differences).toEqual([])
  expect(watch.reads).toBeGreaterThanOrEqual(LEAST_READS)
  report('deletions', { nodes: NODES, races: RACES, 'came too late': late, 'ledger reads': watch.reads })
})
