import { expect, it } from 'vitest'
import type { ProblemBody } from '../../contract/api.ts'
import { Client } from '../support/client.ts'
import { Crowd } from '../support/crowd/crowd.ts'
import { Random } from '../support/random.ts'
import { SEED, sized } from '../support/size.ts'
import { gameStage } from '../support/stage.ts'
import { until } from '../support/until.ts'

const TIMES = sized(1, 10)
const PLAYERS = 10
/** The pause between a player's actions. In the short run, the pause leaves processor time to other tests. */
const PAUSE_MS = sized(80, 0)
/** The number of attempts to wait for before each outage, and after each outage. */
const ATTEMPTS_AROUND = sized(20, 100)

const random = new Random(SEED)
const stage = gameStage(2)

/** Expects 503 for a read, an attempt and the readiness check. */
async function expectUnavailable(browser: Client, start: string): Promise<void> {
  const attempt = { start, username: 'Waiting', actual_time: 9 }
  // The client throws when an answer is missing.
  const answers = await Promise.all([
    browser.get<ProblemBody>('/api/session'),
    browser.post<ProblemBody>('/api/attempts', attempt),
    browser.get<ProblemBody>('/readyz'),
  ])
  for (const { status, headers, body } of answers) {
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect(body.code).toBe('unavailable')
  }
  expect((await fetch(`${browser.url}/healthz`)).status).toBe(200)
}

it('answers 503 while the database hangs, and resumes play afterwards', async () => {
  const waiting = new Client(stage.url())
  const { start } = await waiting.start()
  const url = () => stage.url(random.whole(0, 1))
  const crowd = new Crowd({ players: PLAYERS, random, url, pauseMs: PAUSE_MS, auditor: stage.auditor })
  for (let count = 0; count < TIMES; count += 1) {
    await crowd.more(ATTEMPTS_AROUND)
    stage.relay.hang()
    await Promise.all(stage.nodes.map(node => expectUnavailable(waiting.copy(node.url), start)))
    stage.relay.resume()
    await crowd.more(ATTEMPTS_AROUND)
  }
  const isReady = async () => (await fetch(`${stage.url()}/readyz`)).status === 200
  await until('the server to be ready', isReady)
  await crowd.leave()
  expect(crowd.statuses.get('lost')).toBeUndefined()
})
