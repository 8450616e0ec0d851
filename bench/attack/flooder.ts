// One customer, or one guest, far beyond their limits, in a process of their own.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../tests/support/client.ts'
import { serveJobs } from '../helper.ts'
import { Visitor } from './visitor.ts'

const PASSWORD = 'correct horse battery'
/** The /64s of one customer. */
const SUBNETS = 128
const TICK_MS = 10
/** Few enough that the client itself is not the bottleneck. */
const AT_ONCE = 64

export interface Flood {
  readonly url: string
  readonly of: 'Starts of one guest' | 'logins with unknown names' | 'sign-ins from a /48'
  /** The address of the guest, or of who tries the names. */
  readonly address: string
  readonly perSecond: number
  readonly seconds: number
}

/** How many answers had each status. */
export type Statuses = Readonly<Record<number, number>>

/** Sends the n-th request. */
type Send = (n: number) => Promise<Answer<unknown>>

let names = 0
const newName = () => `Flooder ${process.pid} ${names++}`

const SENDERS: Readonly<Record<Flood['of'], (flood: Flood) => Promise<Send>>> = {
  async 'Starts of one guest'({ url, address }) {
    const guest = new Visitor(url, address)
    const { round } = await guest.session()
    return () => guest.post('/api/rounds', { round: round.token })
  },
  async 'logins with unknown names'({ url, address }) {
    return () => new Visitor(url, address).login(newName(), PASSWORD)
  },
  /** A third of the names are accounts, whose passwords cost a hash each. */
  async 'sign-ins from a /48'({ url }) {
    const known = newName()
    await new Visitor(url, '192.0.2.3').createAccount(known, PASSWORD)
    return n => {
      const customer = new Visitor(url, `2001:db8:0:${(n % SUBNETS).toString(16)}::1`)
      return customer.login(n % 3 === 0 ? known : newName(), 'a wrong password')
    }
  },
}

serveJobs<Flood, Statuses>(async flood => sendAtRate(await SENDERS[flood.of](flood), flood))

/** Sends at the rate of the flood, or more slowly when answers take longer: requests must not pile up. */
async function sendAtRate(send: Send, { perSecond, seconds }: Flood): Promise<Statuses> {
  const statuses: Record<number, number> = {}
  const pending = new Set<Promise<void>>()
  const began = performance.now()
  let sent = 0
  let passed = 0
  for (; passed < seconds; passed = (performance.now() - began) / 1_000) {
    for (; sent < passed * perSecond && pending.size < AT_ONCE; sent += 1) {
      const one = send(sent)
        .then(({ status }) => {
          statuses[status] = (statuses[status] ?? 0) + 1
        }, ignoreTimeout)
        .finally(() => pending.delete(one))
      pending.add(one)
    }
    await sleep(TICK_MS)
  }
  await Promise.all(pending)
  return statuses
}

/** Passwords may wait longer than the client's timeout to be hashed. */
function ignoreTimeout(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error
}
