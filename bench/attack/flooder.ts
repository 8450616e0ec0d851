// One customer, or one guest, who sends far more than they may, in a process of their own.

import { setTimeout as sleep } from 'node:timers/promises'
import { Attacker, type Statuses, Visitor } from '../../tests/faults/attack/visitor.ts'
import { serveJobs } from '../helper.ts'

const PASSWORD = 'correct horse battery'
/** The /64s of one customer. */
const SUBNETS = 128

export interface Flood {
  readonly url: string
  /** Sign-ups from a customer's many networks; Starts of one guest, or logins with unknown names, at one address. */
  readonly of: 'sign-ups' | 'Starts' | 'unknown names'
  readonly address: string
  readonly perSecond: number
  readonly seconds: number
}

let names = 0

serveJobs<Flood, Statuses['counts']>(async flood => {
  const attacker = new Attacker(await senderOf(flood))
  attacker.goOn(flood.perSecond)
  await sleep(flood.seconds * 1_000)
  await attacker.end()
  return attacker.statuses.counts
})

async function senderOf({ url, of, address }: Flood): Promise<ConstructorParameters<typeof Attacker>[0]> {
  if (of === 'sign-ups') {
    return n => {
      const from = new Visitor(url, `2001:db8:0:${(n % SUBNETS).toString(16)}::1`)
      return from.createAccount(`Flooder ${process.pid} ${names++}`, PASSWORD)
    }
  }
  if (of === 'unknown names') {
    const from = new Visitor(url, address)
    return n => from.login(`Nobody ${process.pid} ${n}`, PASSWORD)
  }
  const guest = new Visitor(url, address)
  const { round } = await guest.session()
  return () => guest.post('/api/rounds', { round: round.token })
}
