// One customer, or one guest, far beyond their limits, in a process of their own.

import { setTimeout as sleep } from 'node:timers/promises'
import { serveJobs } from '../helper.ts'
import { Attacker, type Statuses, Visitor } from './visitor.ts'

const PASSWORD = 'correct horse battery'
/** The /64s of one customer. */
const SUBNETS = 128

export interface Flood {
  readonly url: string
  readonly of: 'Starts of one guest' | 'logins with unknown names' | 'sign-ins from a /48'
  /** The address of the guest, or of who tries the names. */
  readonly address: string
  readonly perSecond: number
  readonly seconds: number
}

type Send = ConstructorParameters<typeof Attacker>[0]

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

serveJobs<Flood, Statuses['counts']>(async flood => {
  const attacker = new Attacker(await SENDERS[flood.of](flood))
  attacker.goOn(flood.perSecond)
  await sleep(flood.seconds * 1_000)
  await attacker.end()
  return attacker.statuses.counts
})
