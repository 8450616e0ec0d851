import { expect, test } from 'vitest'
import { report } from '../../support/size.ts'
import { ownStage } from '../../support/stage.ts'
import { Attacker, Statuses, Visitor } from '../attack/visitor.ts'

const PASSWORD = 'correct horse battery'
/** How many people sign up during the attack. */
const PEOPLE = 30
/** How many requests the attack has sent before the first of them: half a minute's. */
const BEFORE = 400
/** How many /64 networks one attacker uses. */
const SUBNETS = 128

const stage = ownStage({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })

let names = 0
/** A name that nobody has. */
const newName = () => `Somebody ${names++}`

const visitor = (address: string) => new Visitor(stage.node.url, address)
/** An address in another /64 of the attacker each time. */
const customer = (n: number) => visitor(`2001:db8:0:${(n % SUBNETS).toString(16)}::1`)

test('a customer of many networks, 130 requests a second, keeps nobody elsewhere from signing up or in', async () => {
  const known = newName()
  expect((await visitor('192.0.2.3').createAccount(known, PASSWORD)).status).toBe(201)
  await new Attacker(n => customer(n).login(newName(), PASSWORD)).burst(2 * BEFORE)
  // A third of these calls need a hash: more than can be computed.
  const attacker = new Attacker(n => {
    if (n % 6 === 0) return customer(n).createAccount(newName(), PASSWORD)
    if (n % 6 === 1) return customer(n).login(known, 'a wrong password')
    return customer(n).login(newName(), PASSWORD)
  })
  attacker.goOn(130)
  const people = new Statuses()
  for (let n = 0; n < PEOPLE; n += 1) {
    people.add(await visitor(`198.51.100.${1 + n}`).createAccount(newName(), PASSWORD))
  }
  await attacker.end()
  report('sign-ups during an attack', { attack: `${attacker.statuses}`, people: `${people}` })
  expect(people.counts).toEqual({ 201: PEOPLE })
  // The owner of the name that is being guessed, from another address.
  expect((await visitor('203.0.113.1').login(known, PASSWORD)).status).toBe(200)
})
