import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import type { Recorded, Start } from '../../contract/api.ts'
import { CLOCK_TOLERANCE_MS } from '../../contract/clock.ts'
import { Client } from '../support/client.ts'
import { ServerNode } from '../support/node.ts'
import { relayedStage } from '../support/stage.ts'

/** The module as a URL, because NODE_OPTIONS would split a path at its spaces. */
const SET_CLOCK = pathToFileURL(`${import.meta.dirname}/set-clock.mjs`).href
const HOUR_MS = 3_600_000
/** The default tolerance, because `ServerNode` otherwise sets a longer tolerance than the default. */
const SETTING = { CLOCK_TOLERANCE_MS: `${CLOCK_TOLERANCE_MS}` }

const stage = relayedStage()

/** Starts a round on one node and stops it on another, immediately. */
async function play(from: ServerNode, to: ServerNode): Promise<Recorded> {
  const here = new Client(from.url)
  const { round } = await here.session()
  const { start } = (await here.post<Start>('/api/rounds', { round: round.token })).body
  const attempt = { start, username: 'Two Clocks', actual_time: 0.5 }
  return (await here.copy(to.url).post<Recorded>('/api/attempts', attempt)).body
}

it("verifies rounds on one node or two when one node's clock is an hour ahead or behind", async () => {
  const settings = { ...stage.postgres.settings(), ...SETTING }
  const right = await ServerNode.start(settings)
  const wrong = await ServerNode.start({
    ...settings,
    NODE_OPTIONS: `--import=${SET_CLOCK}`,
    FAULTS_CLOCK_OFF_MS: `${HOUR_MS}`,
  })
  for (const direction of ['ahead', 'behind']) {
    expect((await fetch(`${wrong.url}/readyz`)).status).toBe(200)
    for (const [from, to] of [
      [wrong, wrong],
      [right, wrong],
      [wrong, right],
    ] as const) {
      expect(await play(from, to), direction).toMatchObject({ verified: true, reason: null })
    }
    process.kill(wrong.pid, 'SIGUSR2')
  }
})
