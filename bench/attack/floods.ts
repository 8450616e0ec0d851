import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../../tests/support/client.ts'
import type { SharedPostgres } from '../../tests/support/shared-postgres.ts'
import { alternate } from '../alternate.ts'
import { endHelpers, Helper } from '../helper.ts'
import type { Figure } from '../section.ts'
import { startGame } from '../stage.ts'
import { Timings } from '../timings.ts'
import type { Attack, Outcome } from './attacker.ts'

const SECONDS = 5
/** Between two Starts: all of them together are within the burst of one player. */
const PAUSE_MS = 80
const ATTACKER = '127.0.0.7'

const HOST = 'host: localhost'

const FLOODS = [
  {
    name: '100 connections × 50 pipelined requests',
    connections: 100,
    request: `GET /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`.repeat(50),
    answers: 50,
  },
  { name: '1,000 connections', connections: 1_000, request: `GET / HTTP/1.1\r\n${HOST}\r\n\r\n`, answers: 1 },
]

/** How long a Start takes at an address that does not attack. A run in which one is refused gives no figure. */
export async function floodFigures(postgres: SharedPostgres): Promise<Figure[]> {
  const game = await startGame({ ...postgres.settings(), RATE_LIMITS: 'on' })
  const during = (flood: (typeof FLOODS)[number]) => ({
    name: flood.name,
    async measure() {
      const attacker = new Helper<Attack, Outcome>(new URL('attacker.ts', import.meta.url))
      const attack = attacker.do({ ...flood, url: game.url, from: ATTACKER, seconds: SECONDS })
      const [median, outcome] = await Promise.all([startAgainAndAgain(game.url), attack])
      endHelpers()
      console.log(`    the attacker: ${JSON.stringify(outcome)}`)
      return { median }
    },
  })
  const floods = await alternate(FLOODS.map(during))
  await game.end('SIGTERM')
  return floods.map(({ median }, place) => ({
    name: `a quiet neighbour's Start, median, ms: ${FLOODS[place]?.name}`,
    ours: median,
    wanted: '≤ 250',
  }))
}

/** The median of how long a Start takes, in ms. */
async function startAgainAndAgain(url: string): Promise<number> {
  const timings = new Timings()
  const neighbour = new Client(url)
  const { round } = await neighbour.session()
  const end = performance.now() + SECONDS * 1_000
  while (performance.now() < end) {
    const began = performance.now()
    const { status } = await neighbour.post('/api/rounds', { round: round.token })
    if (status !== 201) throw new Error(`A neighbour's Start was answered with ${status}`)
    timings.add(performance.now() - began)
    await sleep(PAUSE_MS)
  }
  return timings.summary().p50
}
