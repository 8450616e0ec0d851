import { expect, it } from 'vitest'
import type { ProblemBody } from '../../contract/api.ts'
import { type Answer, Client } from '../support/client.ts'
import { LedgerWatch } from '../support/ledger-watch.ts'
import { Random } from '../support/random.ts'
import { report, SEED, sized } from '../support/size.ts'
import { gameStage } from '../support/stage.ts'
import { Gate } from './gate.ts'

const RACES = sized(3, 100)
const NODES = 2
const READ_PAUSE_MS = 10
const PASSWORD = 'a long enough password'

const random = new Random(SEED)
const stage = gameStage(NODES)
const anyUrl = () => stage.url(random.whole(0, NODES - 1))

/** Opens an account with a balance, a held prize and a round in progress. */
async function openAccount(name: string) {
  const browser = new Client(anyUrl())
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

async function openHold(): Promise<void> {
  const guest = new Client(anyUrl())
  await guest.play((await guest.session()).round, 0)
}

/** The allowed answers to each call: first before the deletion, then after the deletion. */
const CALLS = {
  record_attempts: { path: '/api/attempts', answers: ['201', 'stale_round'] },
  claim_taps: { path: '/api/claim', answers: ['200', 'login_required'] },
  delete_player: { path: '/api/users/delete', answers: ['204'] },
} as const

/** Sends each call while the gate is closed, then opens the gate; returns the answers. */
async function race(name: string) {
  const { browser, attempt } = await openAccount(name)
  const bodies = { record_attempts: attempt, claim_taps: undefined, delete_player: { password: PASSWORD } }
  await openHold()
  const gate = await Gate.close(stage.connection)
  await stage.auditor.once('update holds set held_until = now() where held_until is not null')
  await gate.holds('expire_holds')
  const answers: Promise<Answer<ProblemBody | null>>[] = []
  const calls = random.shuffle(['record_attempts', 'claim_taps', 'delete_player'] as const)
  for (const call of calls) {
    answers.push(browser.copy(anyUrl()).insist(CALLS[call].path, bodies[call]))
    await gate.holds(call)
  }
  await gate.open()
  const settled = await Promise.all(answers)
  return calls.map((call, place) => ({
    call,
    answer: settled[place]?.body?.code ?? String(settled[place]?.status),
  }))
}

async function count(rows: string): Promise<number> {
  const { rowCount } = await stage.auditor.read(pool => pool.query(`select from ${rows}`))
  return rowCount ?? 0
}

it('the ledger stays balanced when an account is deleted during a win, a claim and the return of holds', async () => {
  const watch = new LedgerWatch(stage.auditor, READ_PAUSE_MS)
  for (let number = 0; number < RACES; number += 1) {
    for (const { call, answer } of await race(`Leaver ${number}`)) {
      expect(CALLS[call].answers, call).toContain(answer)
    }
  }
  await watch.stop()

  expect(
    await Promise.all(['users', 'sessions', "attempts where username like 'Leaver%'"].map(count)),
  ).toEqual([0, 0, 0])
  expect(await stage.auditor.contradictions()).toEqual([])
  expect(watch.differences).toEqual([])
  report('deletions', { nodes: NODES, races: RACES, 'ledger reads': watch.reads })
})
