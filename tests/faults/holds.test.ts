import { expect, it, vi } from 'vitest'
import type { Claimed } from '../../contract/api.ts'
import { WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import { Client } from '../support/client.ts'
import { LedgerWatch } from '../support/ledger-watch.ts'
import { Random } from '../support/random.ts'
import { report, SEED, sized } from '../support/size.ts'
import { gameStage } from '../support/stage.ts'
import { Gate } from './gate.ts'

const RACES = sized(3, 60)
const NODES = 3
const HOLDERS = 6
const READ_PAUSE_MS = 10
/** The timeout for the return of holds; each node checks for expired holds once a second. */
const RETURNED = { timeout: 60_000, interval: 10 }
const PASSWORD = 'a long enough password'

const random = new Random(SEED)
const stage = gameStage(NODES)

interface Holder {
  readonly browser: Client
  readonly taps: number
}

function holders(): Promise<Holder[]> {
  return Promise.all(
    Array.from({ length: HOLDERS }, async (_, place) => {
      const browser = new Client(stage.url(place))
      const { body } = await browser.play(
        (await browser.session()).round,
        random.whole(-WIN_TOLERANCE_MS, WIN_TOLERANCE_MS),
      )
      return { browser, taps: body.attempt.won_taps ?? 0 }
    }),
  )
}

/** Signs up or logs in, then claims. The claim must move the whole prize or nothing. */
async function claim({ browser, taps }: Holder, path: string, username: string): Promise<'all' | 'nothing'> {
  const entered = await browser.insist(path, { username, password: PASSWORD })
  expect([200, 201]).toContain(entered.status)
  const claimed = (await browser.insist<Claimed>('/api/claim')).body.taps
  expect([0, taps]).toContain(claimed)
  return claimed > 0 ? 'all' : 'nothing'
}

/**
 * Makes half of the holders sign up and half log in, then claim. One holder claims before the holds expire,
 * one holder afterwards, and all other holders while the return waits.
 */
async function contest(race: number): Promise<readonly ('all' | 'nothing')[]> {
  const [early, late, ...others] = (await holders()).map((holder, place) => () => {
    return place % 2 === 0
      ? claim(holder, '/api/login', `Member ${place}`)
      : claim(holder, '/api/users', `Racer ${race} at ${place}`)
  })
  const before = await early?.()
  const gate = await Gate.close(stage.connection)
  const contested = others.map(claimNow => claimNow())
  await gate.holds('open_session')
  await gate.holds('create_account')
  await stage.auditor.once('update holds set held_until = now() where held_until is not null')
  await gate.holds('expire_holds')
  await gate.open()
  const outcomes = await Promise.all(contested)
  const noneHeld = async () => (await stage.auditor.endings()).held === 0
  await vi.waitUntil(noneHeld, RETURNED)
  const after = await late?.()
  expect([before, after]).toEqual(['all', 'nothing'])
  return ['all', ...outcomes, 'nothing']
}

it('either claims or returns each prize when claims and returns happen simultaneously', async () => {
  for (let place = 0; place < HOLDERS; place += 2) {
    await new Client(stage.url(place)).createAccount(`Member ${place}`, PASSWORD)
  }
  const watch = new LedgerWatch(stage.auditor, READ_PAUSE_MS)
  const outcomes: ('all' | 'nothing')[] = []
  for (let race = 0; race < RACES; race += 1) {
    outcomes.push(...(await contest(race)))
    const claimed = outcomes.filter(outcome => outcome === 'all').length
    const returned = outcomes.length - claimed
    expect(await stage.auditor.endings()).toEqual({ held: 0, claimed, returned })
  }
  await watch.stop()

  expect(await stage.auditor.contradictions()).toEqual([])
  expect(watch.differences).toEqual([])
  report('claims against returns', { nodes: NODES, prizes: outcomes.length, 'ledger reads': watch.reads })
})
