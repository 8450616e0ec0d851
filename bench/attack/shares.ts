import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, Client, type ClientRequest } from '../../tests/support/client.ts'
import type { SharedPostgres } from '../../tests/support/shared-postgres.ts'
import { alternate } from '../alternate.ts'
import type { Figure } from '../section.ts'
import { startGame } from '../stage.ts'

const PASSWORD = 'correct horse battery'
/** Calls of a neighbour, within the limit of one player, and sign-ups, within the limit of one address. */
const CALLS = 100
const PEOPLE = 20
const PAUSE_MS = 50
/** Until the flood has used up its burst. */
const RISE_MS = 3_000
/** The /64s of one customer. */
const SUBNETS = 128
const TICK_MS = 10
/** Few enough that the client itself is not the bottleneck. */
const AT_ONCE = 64

/** Sends the n-th request. */
type Send = (n: number) => Promise<Answer<unknown>>

/** One guest, or one customer, far beyond their limits, and those who are served beside them. */
interface Flood {
  readonly name: string
  readonly wanted: string
  readonly perSecond: number
  /** @param address of the guest, or of who tries the names */
  begin(url: string, address: string): Promise<Send>
  /** The share of what the others send that is served, %. */
  measure(url: string, address: string): Promise<number>
}

const FLOODS: readonly Flood[] = [
  {
    name: "a neighbour's calls served beside one guest's 280 Starts a second at that address, %",
    wanted: '≥ 97',
    perSecond: 280,
    async begin(url, address) {
      const guest = new Visitor(url, address)
      const { round } = await guest.session()
      return () => guest.post('/api/rounds', { round: round.token })
    },
    measure: playOn,
  },
  {
    name: 'sign-ups served beside 130 logins a second with unknown names at that address, %',
    wanted: '≥ 80',
    perSecond: 130,
    begin: async (url, address) => () => new Visitor(url, address).login(newName(), PASSWORD),
    measure: (url, address) => signUps(url, () => address),
  },
  {
    name: 'sign-ups served beside 130 sign-ins a second of one IPv6 customer with a /48, %',
    wanted: '≥ 80',
    perSecond: 130,
    /** A third of the names are accounts, whose passwords cost a hash each. */
    async begin(url) {
      const known = newName()
      await new Visitor(url, nextAddress()).createAccount(known, PASSWORD)
      return n => {
        const customer = new Visitor(url, `2001:db8:0:${(n % SUBNETS).toString(16)}::1`)
        return customer.login(n % 3 === 0 ? known : newName(), 'a wrong password')
      }
    },
    measure: url => signUps(url, nextAddress),
  },
]

/** A browser at an address of its own, which a trusted proxy passes on. */
class Visitor extends Client {
  readonly #address: string

  constructor(url: string, address: string) {
    super(url)
    this.#address = address
  }

  override send<Body>(path: string, request: ClientRequest = {}): Promise<Answer<Body>> {
    return super.send<Body>(path, { ...request, headers: { 'x-forwarded-for': this.#address } })
  }
}

let addresses = 0
let names = 0
const newName = () => `Person ${names++}`

/** An address of its own each time. */
function nextAddress(): string {
  addresses += 1
  return `198.51.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`
}

/** How many of a hundred calls are served while one guest, or one customer, is far beyond their limits. */
export async function shareFigures(postgres: SharedPostgres): Promise<Figure[]> {
  const { url } = await startGame({ ...postgres.settings(), RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
  const shares = await alternate(
    FLOODS.map(flood => ({
      name: flood.name,
      async measure() {
        const address = nextAddress()
        const measured = new AbortController()
        const flooding = sendAtRate(await flood.begin(url, address), flood.perSecond, measured.signal)
        await sleep(RISE_MS)
        const served = await flood.measure(url, address)
        measured.abort()
        console.log(`    the flood was answered ${JSON.stringify(await flooding)}`)
        return { served }
      },
    })),
  )
  return FLOODS.map(({ name, wanted }, place) => ({ name, ours: shares[place]?.served ?? [], wanted }))
}

/**
 * Sends at this rate, or more slowly when answers take longer: requests must not pile up.
 *
 * @returns how many answers had each status
 */
async function sendAtRate(send: Send, perSecond: number, end: AbortSignal): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  const count = (status: number | string) => {
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const pending = new Set<Promise<void>>()
  const began = performance.now()
  for (let sent = 0; !end.aborted; await sleep(TICK_MS)) {
    const due = ((performance.now() - began) / 1_000) * perSecond
    for (; sent < due && pending.size < AT_ONCE; sent += 1) {
      const one = send(sent)
        // A password may wait longer than the client does to be hashed.
        .then(
          ({ status }) => count(status),
          (error: Error) => count(error.name),
        )
        .finally(() => pending.delete(one))
      pending.add(one)
    }
  }
  await Promise.all(pending)
  return statuses
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
    const { status } = await new Visitor(url, addressOf()).createAccount(newName(), PASSWORD)
    if (status === 201) served += 1
  }
  return (served / PEOPLE) * 100
}
