import { setTimeout as sleep } from 'node:timers/promises'
import { alternate, type Subject } from '../alternate.ts'
import { Helper } from '../helper.ts'
import { type RoundsStage, startGame } from '../rounds/stage.ts'
import type { Figure } from '../section.ts'
import type { Flood, Statuses } from './flooder.ts'
import { Visitor } from './visitor.ts'

const PASSWORD = 'correct horse battery'
/** Calls of a neighbour, within the limit of one player, and sign-ups, within the limit of one address. */
const CALLS = 100
const PEOPLE = 20
const PAUSE_MS = 50
/** Until the flood has used up its burst. */
const RISE_MS = 3_000

type Share = 'served'

interface Scene {
  readonly url: string
  readonly flooder: Helper<Flood, Statuses>
}

let addresses = 0
let names = 0

/** How many of a hundred calls are served while one guest, or one customer, is far beyond their limits. */
export async function shareFigures(stage: RoundsStage): Promise<Figure[]> {
  const flooder = new Helper<Flood, Statuses>(new URL('flooder.ts', import.meta.url))
  stage.onClose(() => flooder.close())
  const { settings } = await stage.makeDatabase('shares')
  const { url } = await startGame({ ...settings, RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
  const scene: Scene = { url, flooder }
  const [neighbours, besideNames, besideSignIns] = await alternate<Share>([
    during(scene, { of: 'Starts of one guest', perSecond: 280, seconds: 13 }, playOn),
    during(scene, { of: 'logins with unknown names', perSecond: 130, seconds: 8 }, (url, address) =>
      signUps(url, () => address),
    ),
    during(scene, { of: 'sign-ins from a /48', perSecond: 130, seconds: 12 }, url =>
      signUps(url, nextAddress),
    ),
  ])
  return [
    {
      name: "a neighbour's calls served beside one guest's 280 Starts a second at that address, %",
      ours: neighbours?.served ?? [],
      wanted: '≥ 97',
    },
    {
      name: 'sign-ups served beside 130 logins a second with unknown names at that address, %',
      ours: besideNames?.served ?? [],
      wanted: '≥ 80',
    },
    {
      name: 'sign-ups served beside 130 sign-ins a second of one IPv6 customer with a /48, %',
      ours: besideSignIns?.served ?? [],
      wanted: '≥ 80',
    },
  ]
}

function during(
  { url, flooder }: Scene,
  flood: Omit<Flood, 'url' | 'address'>,
  measure: (url: string, address: string) => Promise<number>,
): Subject<Share> {
  return {
    name: flood.of,
    async measure() {
      const address = nextAddress()
      const flooding = flooder.do({ ...flood, url, address })
      await sleep(RISE_MS)
      const served = await measure(url, address)
      console.log(`    the flood was answered ${JSON.stringify(await flooding)}`)
      return { served }
    },
  }
}

/** Plays as a neighbour at the address, who loads the page while it is flooded. */
async function playOn(url: string, address: string): Promise<number> {
  const neighbour = new Visitor(url, address)
  const { round } = await neighbour.session()
  let served = 0
  for (let n = 0; n < CALLS; n += 1) {
    const { status } =
      n % 2 === 0
        ? await neighbour.post('/api/rounds', { round: round.token })
        : await neighbour.get('/api/attempts')
    if (status < 300) served += 1
    await sleep(PAUSE_MS)
  }
  return (served / CALLS) * 100
}

/** Signs people up one after the other. */
async function signUps(url: string, addressOf: () => string): Promise<number> {
  let served = 0
  for (let n = 0; n < PEOPLE; n += 1) {
    names += 1
    const { status } = await new Visitor(url, addressOf()).createAccount(`Person ${names}`, PASSWORD)
    if (status === 201) served += 1
  }
  return (served / PEOPLE) * 100
}

/** An address of its own each time. */
function nextAddress(): string {
  addresses += 1
  return `198.51.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`
}
