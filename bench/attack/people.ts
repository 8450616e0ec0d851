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

/** How many of a hundred calls of people are served, and how long they wait for those, ms. */
type Wait = 'p50' | 'share'

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
  const [calm, flooded, named, quiet, beside] = await alternate<Wait>(
    [
      { name: 'sign-ups', measure: () => signUps(scene, nextAddress) },
      during(scene, { of: 'sign-ups', perSecond: 130 }, () => signUps(scene, nextAddress)),
      during(scene, { of: 'unknown names', perSecond: 12 }, address => signUps(scene, () => address)),
      { name: 'Starts', measure: () => starts(scene, nextAddress()) },
      during(scene, { of: 'Starts', perSecond: 280 }, address => starts(scene, address)),
    ],
    REPEATS,
  )
  const signUpsWhile = (flood: string, run: typeof calm): Figure[] => [
    { name: `sign-ups served, of 100: ${flood}`, ours: run?.share ?? [], wanted: '≥ 80' },
    { name: 'p50 of those, ms', ours: run?.p50 ?? [], limit: { name: 'quiet', values: calm?.p50 ?? [] } },
  ]
  return [
    ...signUpsWhile('elsewhere, 128 networks of one customer, 130 sign-ups a second', flooded),
    ...signUpsWhile('at the same address, 12 logins a second with unknown names', named),
    {
      name: 'a neighbour’s Starts served, of 100: one guest at the address, 280 a second',
      ours: beside?.share ?? [],
      wanted: '≥ 97',
    },
    {
      name: 'p50 of those, ms',
      ours: beside?.p50 ?? [],
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

/** Strangers sign up one after the other, each at such an address. */
function signUps({ url }: Scene, address: () => string): Promise<Record<Wait, number>> {
  return each(SIGN_UPS, async () => {
    const stranger = new Visitor(url, address())
    people += 1
    return stranger.createAccount(`Person ${people}`, PASSWORD)
  })
}

async function starts({ url }: Scene, address: string): Promise<Record<Wait, number>> {
  const neighbour = new Visitor(url, address)
  const { round } = await neighbour.session()
  return each(STARTS, () => neighbour.post('/api/rounds', { round: round.token }), PAUSE_MS)
}

/** Calls one after the other: how many are served, and how long those take. */
async function each(
  calls: number,
  call: () => Promise<{ status: number }>,
  pauseMs = 0,
): Promise<Record<Wait, number>> {
  const timings = new Timings()
  let served = 0
  for (let n = 0; n < calls; n += 1) {
    const began = performance.now()
    const { status } = await call()
    if (status === 201) {
      served += 1
      timings.add(performance.now() - began)
    }
    await sleep(pauseMs)
  }
  return { p50: timings.summary().p50, share: (100 * served) / calls }
}

/** Another address each time. */
function nextAddress(): string {
  people += 1
  return `198.51.${Math.floor(people / 250)}.${1 + (people % 250)}`
}
