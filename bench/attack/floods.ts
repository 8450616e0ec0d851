import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../../tests/support/client.ts'
import { memoryOf } from '../../tests/support/process.ts'
import { alternate, type Subject } from '../alternate.ts'
import { Helper } from '../helper.ts'
import { type RoundsStage, startGame } from '../rounds/stage.ts'
import type { Figure } from '../section.ts'
import { Timings } from '../timings.ts'
import type { Attack, Outcome } from './attacker.ts'

const SECONDS = 5
/** Between two Starts: all of them together are within the burst of one player. */
const PAUSE_MS = 80
const ATTACKER = '127.0.0.7'

const HOST = 'host: localhost'
const CHUNKED = `POST /api/rounds HTTP/1.1\r\n${HOST}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`

type Flood = Pick<Attack, 'connections' | 'request' | 'answers'> & { readonly name: string }

const FLOODS: readonly Flood[] = [
  {
    name: '100 connections × 50 pipelined requests',
    connections: 100,
    request: `GET /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`.repeat(50),
    answers: 50,
  },
  { name: '1,000 connections', connections: 1_000, request: `GET / HTTP/1.1\r\n${HOST}\r\n\r\n`, answers: 1 },
  {
    name: '100 connections, bodies in one-byte chunks',
    connections: 100,
    request: `${CHUNKED}${'1\r\n \r\n'.repeat(10_000)}0\r\n\r\n`,
    answers: 1,
  },
]

interface Scene {
  readonly attacker: Helper<Attack, Outcome>
  readonly url: string
  readonly pid: number
}

/** How long a Start takes at an address that does not attack. A run in which one is refused gives no figure. */
export async function floodFigures(stage: RoundsStage): Promise<Figure[]> {
  const attacker = new Helper<Attack, Outcome>(new URL('attacker.ts', import.meta.url))
  stage.onClose(() => attacker.close())
  const { settings } = await stage.makeDatabase('floods')
  const { url, pid } = await startGame({ ...settings, RATE_LIMITS: 'on' })
  const scene: Scene = { attacker, url, pid }
  const [quiet, ...flooded] = await alternate([
    during(scene, null),
    ...FLOODS.map(flood => during(scene, flood)),
  ])
  const beside = { name: 'quiet', values: quiet?.median ?? [] }
  return [
    ...flooded.map((runs, place) => ({
      name: `a quiet neighbour's Start, median, ms: ${FLOODS[place]?.name}`,
      ours: runs.median,
      wanted: '≤ 250',
      beside,
    })),
    { name: 'memory of the server after these attacks, MB', ours: flooded.at(-1)?.mb ?? [] },
  ]
}

function during({ attacker, url, pid }: Scene, flood: Flood | null): Subject<'median' | 'max' | 'mb'> {
  return {
    name: flood?.name ?? 'quiet',
    async measure() {
      const attack = flood && attacker.do({ ...flood, url, from: ATTACKER, seconds: SECONDS })
      const [{ p50, max }, outcome] = await Promise.all([startAgainAndAgain(url), attack])
      if (outcome) console.log(`    the attacker: ${JSON.stringify(outcome)}`)
      return { median: p50, max, mb: (await memoryOf(pid)).nowMb }
    },
  }
}

async function startAgainAndAgain(url: string) {
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
  return timings.summary()
}
