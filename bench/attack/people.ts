import { setTimeout as sleep } from 'node:timers/promises'
import { Visitor } from '../../tests/faults/attack/visitor.ts'
import { alternate, type Subject } from '../alternate.ts'
import { Helper } from '../helper.ts'
import { Timings } from '../load/timings.ts'
import type { RoundsStage } from '../rounds/stage.ts'
import type { Figure } from '../section.ts'
import type { Flood } from './flooder.ts'

const REPEATS = 3
/** Of people who sign up, and of Starts of a neighbour, in each run. */
const SIGN_UPS = 12
const STARTS = 40
const PAUSE_MS = 50
/** The flood is at its height by then, and goes on for as long as people do. */
const RISE_MS = 1_000
const FLOOD_SECONDS = 6

const PASSWORD = 'correct horse battery'

type Statuses = Readonly<Record<number, number>>

/** How long people wait for a call, ms, none of which may be refused. */
type Wait = 'p50' | 'max'

interface Scene {
  readonly url: string
  readonly flooder: Helper<Flood, Statuses>
}

let people = 0

/** What people wait for who sign up, or play at the same address, while one client sends far more than it may. */
export async function peopleFigures(stage: RoundsStage): Promise<Figure[]> {
  const flooder = new Helper<Flood, Statuses>(new URL('flooder.ts', import.meta.url))
  stage.onClose(() => flooder.close())
  const { settings } = await stage.makeDatabase('people')
  const { url } = await stage.startGame({ ...settings, RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
  const scene: Scene = { url, flooder }
  const [calm, flooded, quiet, beside] = await alternate<Wait>(
    [
      { name: 'sign-ups', measure: () => signUps(scene) },
      during(scene, { of: 'sign-ups', perSecond: 130 }, () => signUps(scene)),
      { name: 'Starts', measure: () => starts(scene, nextAddress()) },
      during(scene, { of: 'Starts', perSecond: 280 }, address => starts(scene, address)),
    ],
    REPEATS,
  )
  return [
    {
      name: 'p50 of a sign-up elsewhere, ms: 128 networks of one customer, 130 sign-ups a second',
      ours: flooded?.p50 ?? [],
      limit: { name: 'quiet', values: calm?.p50 ?? [] },
    },
    {
      name: 'p50 of a neighbour’s Start, ms: one guest at the address, 280 Starts a second',
      ours: beside?.p50 ?? [],
      wanted: '≤ 100',
      limit: { name: 'quiet', values: quiet?.p50 ?? [] },
    },
  ]
}

function during(
  { url, flooder }: Scene,
  flood: Pick<Flood, 'of' | 'perSecond'>,
  measure: (address: string) => ReturnType<Subject<Wait>['measure']>,
): Subject<Wait> {
  return {
    name: `${flood.perSecond} ${flood.of} a second`,
    async measure() {
      const address = nextAddress()
      const flooding = flooder.do({ ...flood, url, address, seconds: FLOOD_SECONDS })
      await sleep(RISE_MS)
      const waits = await measure(address)
      console.log(`  the flood was answered ${JSON.stringify(await flooding)}`)
      return waits
    },
  }
}

/** Strangers sign up one after the other, each at an address of their own. */
async function signUps({ url }: Scene): Promise<Record<Wait, number>> {
  const timings = new Timings()
  for (let n = 0; n < SIGN_UPS; n += 1) {
    const stranger = new Visitor(url, nextAddress())
    const began = performance.now()
    served(await stranger.createAccount(`Person ${people}`, PASSWORD), 201)
    timings.add(performance.now() - began)
  }
  return timings.summary()
}

async function starts({ url }: Scene, address: string): Promise<Record<Wait, number>> {
  const timings = new Timings()
  const neighbour = new Visitor(url, address)
  const { round } = await neighbour.session()
  for (let n = 0; n < STARTS; n += 1) {
    const began = performance.now()
    served(await neighbour.post('/api/rounds', { round: round.token }), 201)
    timings.add(performance.now() - began)
    await sleep(PAUSE_MS)
  }
  return timings.summary()
}

/** @throws Error for a refusal: then there is no figure */
function served({ status, body }: { status: number; body: unknown }, expected: number): void {
  if (status !== expected)
    throw new Error(`${expected} was expected, ${status} answered: ${JSON.stringify(body)}`)
}

/** Another address each time. */
function nextAddress(): string {
  people += 1
  return `198.51.${Math.floor(people / 250)}.${1 + (people % 250)}`
}
