import { expect, test } from 'vitest'
import { report, sized } from '../../support/size.ts'
import { ownStage } from '../../support/stage.ts'
import { Attacker, Statuses, Visitor } from './visitor.ts'

const PASSWORD = 'correct horse battery'
const NEW_PASSWORD = 'correct horse stable'

/** So many people sign up while somebody attacks. */
const PEOPLE = sized(5, 60)
/** What an attack has sent before the first of them comes: half a minute of it. */
const BEFORE = sized(150, 400)
const CLASS = 40
const LONG = sized(false, true)
/** How many /64s one customer uses. */
const SUBNETS = 128

const stage = ownStage({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })

let names = 0
/** A name that nobody has. */
const newName = () => `Somebody ${names++}`

const visitor = (address: string) => new Visitor(stage.node.url, address)
const stranger = (n: number) => visitor(`198.51.100.${1 + n}`)
/** An address in another /64 of the customer each time. */
const customer = (n: number) => visitor(`2001:db8:0:${(n % SUBNETS).toString(16)}::1`)

/** People sign up, one after the other, each from where they are. */
async function signUp(people: number, from: (n: number) => Visitor): Promise<Statuses> {
  const statuses = new Statuses()
  for (let n = 0; n < people; n += 1) statuses.add(await from(n).createAccount(newName(), PASSWORD))
  return statuses
}

/** What becomes of people who sign up during an attack. */
async function signUpDuring(attacker: Attacker, perSecond: number, from: (n: number) => Visitor) {
  attacker.goOn(perSecond)
  const people = await signUp(PEOPLE, from)
  await attacker.end()
  report('sign-ups during an attack', {
    attack: attacker.statuses.toString(),
    people: people.toString(),
  })
  return people
}

test.runIf(LONG)('a class signs up at once, at one address', async () => {
  const answers = Array.from({ length: CLASS }, () => visitor('192.0.2.1').createAccount(newName(), PASSWORD))
  const statuses = new Statuses()
  for (const answer of answers) statuses.add(await answer)
  expect(statuses.counts).toEqual({ 201: CLASS })
})

test('names that nobody has, five a second, keep nobody at the same address from signing up', async () => {
  const attacker = new Attacker(() => visitor('192.0.2.2').login(newName(), PASSWORD))
  await attacker.burst(BEFORE)
  const people = await signUpDuring(attacker, 5, () => visitor('192.0.2.2'))
  expect(attacker.statuses.counts[404]).toBeGreaterThan(0)
  expect(people.served).toBeGreaterThanOrEqual(0.9)
  const elsewhere = await signUp(2, stranger)
  expect(elsewhere.counts).toEqual({ 201: 2 })
})

test(`${SUBNETS} networks of one customer, 130 requests a second, keep nobody elsewhere from signing up or in`, async () => {
  const known = newName()
  expect((await visitor('192.0.2.3').createAccount(known, PASSWORD)).status).toBe(201)
  await new Attacker(n => customer(n).login(newName(), PASSWORD)).burst(2 * BEFORE)
  // A third costs hashes, more than can be made.
  const attacker = new Attacker(n => {
    if (n % 6 === 0) return customer(n).createAccount(newName(), PASSWORD)
    if (n % 6 === 1) return customer(n).login(known, 'a wrong password')
    return customer(n).login(newName(), PASSWORD)
  })
  const people = await signUpDuring(attacker, 130, stranger)
  expect(people.counts).toEqual({ 201: PEOPLE })
  // The owner of the name that they guess, from anywhere else.
  expect((await visitor('203.0.113.1').login(known, PASSWORD)).status).toBe(200)
})

test.runIf(LONG)('a burst of 60 password changes keeps nobody elsewhere from signing up', async () => {
  // Of six accounts: for one name an address has ten tries.
  const owners = Array.from({ length: 6 }, () => visitor('192.0.2.4'))
  for (const owner of owners) await owner.createAccount(newName(), PASSWORD)
  const changes = new Statuses()
  const change = { password: PASSWORD, new_password: NEW_PASSWORD }
  const burst = owners.flatMap(owner =>
    Array.from({ length: 10 }, async () => changes.add(await owner.post('/api/password', change))),
  )
  const people = new Statuses()
  const signUps = Array.from({ length: 12 }, async (_, n) => {
    people.add(await stranger(100 + n).createAccount(newName(), PASSWORD))
  })
  await Promise.all([...signUps, ...burst])
  report('a burst of password changes', { changes: changes.toString(), people: people.toString() })
  expect(changes.counts[204]).toBeGreaterThanOrEqual(1)
  expect(people.counts).toEqual({ 201: 12 })
})
