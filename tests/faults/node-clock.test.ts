import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it, vi } from 'vitest'
import type { ProblemBody, Recorded, Start } from '../../contract/api.ts'
import { Client } from '../support/client.ts'
import { ServerNode } from '../support/node.ts'
import { report } from '../support/size.ts'
import { postgresStage } from '../support/stage.ts'

const SET_CLOCK = fileURLToPath(new URL('set-clock.mjs', import.meta.url))
const HOUR_MS = 3_600_000
/** So little that nobody has to wait for it to have passed. */
const ACTUAL_S = 0.5

const stage = postgresStage()
let right: ServerNode

beforeAll(async () => {
  right = await startNode()
})

function startNode(more: Record<string, string> = {}): Promise<ServerNode> {
  return ServerNode.start({
    ...stage.postgres.settings(),
    CLOCK_TOLERANCE_MS: '750',
    LOG_LEVEL: 'info',
    ...more,
  })
}

function startWrong(offMs: number): Promise<ServerNode> {
  return startNode({ NODE_OPTIONS: `--import ${SET_CLOCK}`, FAULTS_CLOCK_OFF_MS: `${offMs}` })
}

const readiness = async ({ url }: ServerNode) => {
  const answer = await fetch(`${url}/readyz`)
  return { ...((await answer.json()) as Partial<ProblemBody>), status: answer.status }
}

const saidOfClock = ({ sentences }: ServerNode) => sentences.filter(line => line.includes('the clock'))

const AWAY = { code: 'unavailable', title: 'The game is taking a short break; please try again in a moment' }

it.each([
  ['ahead of', HOUR_MS],
  ['behind', -HOUR_MS],
])(
  "a node whose clock is an hour %s the database's takes no rounds until it is right",
  async (side, offMs) => {
    const wrong = await startWrong(offMs)
    expect(await readiness(wrong)).toMatchObject({
      status: 503,
      title: expect.stringMatching(`^The clock of this node is \\d+ ms ${side} the database's$`),
    })
    expect((await fetch(`${wrong.url}/healthz`)).status).toBe(200)
    expect((await fetch(wrong.url)).status).toBe(200)
    expect((await readiness(right)).status).toBe(200)

    const here = new Client(right.url)
    const { round } = await here.session()
    const there = here.copy(wrong.url)
    expect((await there.get('/api/leaderboard')).status).toBe(200)
    const refused = [await there.post<ProblemBody>('/api/rounds', { round: round.token })]
    const { start } = (await here.post<Start>('/api/rounds', { round: round.token })).body
    const attempt = { start, username: 'Of Two Clocks', actual_time: ACTUAL_S }
    refused.push(await there.post<ProblemBody>('/api/attempts', attempt))
    for (const { status, body, headers } of refused) {
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
      expect(body).toMatchObject({ ...AWAY, status: 503, id: expect.any(String) })
    }
    expect((await here.post<Recorded>('/api/attempts', attempt)).body).toMatchObject({ verified: true })
    expect(saidOfClock(wrong)).toEqual([
      expect.stringContaining(`${side} the database's: no rounds are taken`),
    ])

    const began = performance.now()
    process.kill(wrong.pid, 'SIGUSR2')
    await vi.waitUntil(async () => (await readiness(wrong)).status === 200, { timeout: 10_000 })
    report(`a clock an hour ${side} the database's`, {
      'ms until ready once it is right': Math.round(performance.now() - began),
    })
    const next = (await here.session()).round
    const begun = await there.post<Start>('/api/rounds', { round: next.token })
    const played = await here.post<Recorded>('/api/attempts', { ...attempt, start: begun.body.start })
    expect([played.status, played.body.verified]).toEqual([201, true])
    expect(saidOfClock(wrong)).toHaveLength(2)
    await wrong.end('SIGTERM')
    expect(wrong.exitCode).toBe(0)
  },
)
