import { pathToFileURL } from 'node:url'
import { expect, it, vi } from 'vitest'
import type { ProblemBody, Recorded, Start } from '../../contract/api.ts'
import { Client } from '../support/client.ts'
import { ServerNode } from '../support/node.ts'
import { postgresStage } from '../support/stage.ts'

/** Loaded before the program; as an address, because a path with a space would be two options. */
const SET_CLOCK = pathToFileURL(`${import.meta.dirname}/set-clock.mjs`).href
const HOUR_MS = 3_600_000

const stage = postgresStage()

it("a node whose clock is an hour ahead of the database's takes no rounds until it is right", async () => {
  const settings = stage.postgres.settings()
  const right = await ServerNode.start(settings)
  const wrong = await ServerNode.start({
    ...settings,
    NODE_OPTIONS: `--import=${SET_CLOCK}`,
    FAULTS_CLOCK_OFF_MS: `${HOUR_MS}`,
  })
  const readiness = async () => (await fetch(`${wrong.url}/readyz`)).status
  expect(await readiness()).toBe(503)

  const here = new Client(right.url)
  const { round } = await here.session()
  const there = here.copy(wrong.url)
  const begun = await there.post<ProblemBody>('/api/rounds', { round: round.token })
  const { start } = (await here.post<Start>('/api/rounds', { round: round.token })).body
  const attempt = { start, username: 'Of Two Clocks', actual_time: 0.5 }
  const stopped = await there.post<ProblemBody>('/api/attempts', attempt)
  expect([begun.body.code, stopped.body.code]).toEqual(['unavailable', 'unavailable'])
  expect((await here.post<Recorded>('/api/attempts', attempt)).body).toMatchObject({ verified: true })

  process.kill(wrong.pid, 'SIGUSR2')
  await vi.waitUntil(async () => (await readiness()) === 200, { timeout: 60_000 })
})
