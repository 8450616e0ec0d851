import { expect, it } from 'vitest'
import type { Session, Start } from '../../contract/api.ts'
import { Client } from '../support/client.ts'
import { CUTS, type Cut, HttpRelay } from '../support/relay.ts'
import { gameStage } from '../support/stage.ts'

const PASSWORD = 'a long enough password'

/** A player who wins one round behind a relay, with the state that the page keeps across a reload. */
interface Winner {
  readonly name: string
  readonly relay: HttpRelay
  browser: Client
  start: Start
  /** The TAPS won; 0 until the attempt has been answered. */
  taps: number
}

interface Step {
  readonly path: string
  /** @throws TypeError when the answer is lost */
  readonly take: (winner: Winner) => Promise<unknown>
  /** Whether a reloaded page shows that the step is done. */
  readonly isDone: (session: Session) => boolean
}

const isSignedIn = ({ user }: Session) => user !== null

/** The calls from Start to the claim, in order; a winner either signs up or logs in. */
const STEPS = {
  start: {
    path: '/api/rounds',
    async take(winner) {
      winner.start = await winner.browser.start()
    },
    isDone: () => false,
  },
  save: {
    path: '/api/attempts',
    async take(winner) {
      const { body } = await winner.browser.stop(winner.start, 0, winner.name)
      winner.taps = body.attempt.won_taps ?? 0
    },
    isDone: () => false,
  },
  'sign-up': {
    path: '/api/users',
    take: ({ browser, name }) => browser.createAccount(name, PASSWORD),
    isDone: isSignedIn,
  },
  'sign-in': {
    path: '/api/login',
    take: ({ browser, name }) => browser.login(name, PASSWORD),
    isDone: isSignedIn,
  },
  claim: {
    path: '/api/claim',
    take: ({ browser }) => browser.post('/api/claim'),
    isDone: ({ prize }) => prize === null,
  },
} satisfies Record<string, Step>

const ENTRANCES = ['sign-up', 'sign-in'] as const
type Entrance = (typeof ENTRANCES)[number]

const journey = (entrance: Entrance) => ['start', 'save', entrance, 'claim'] as const

/** The winner's reactions to a lost call. A browser that forgets has the cookies from before the call. */
const REACTIONS = [
  { reaction: 'the call is sent again', reloads: false, forgets: false },
  { reaction: 'the call is sent again with the old cookies', reloads: false, forgets: true },
  { reaction: 'the page is reloaded', reloads: true, forgets: false },
  { reaction: 'the page is reloaded with the old cookies', reloads: true, forgets: true },
] as const

/**
 * Every possible case. Start and save come before the entrance, and the claim does not depend on it, so each of
 * them has one entrance. Only a sign-up or sign-in changes cookies.
 */
const CASES = ENTRANCES.flatMap(entrance => {
  const steps =
    entrance === 'sign-up' ? (['start', 'save', entrance] as const) : ([entrance, 'claim'] as const)
  return steps.flatMap(step =>
    CUTS.flatMap(cut => {
      const reactions = REACTIONS.filter(({ forgets }) => !forgets || step === entrance)
      return reactions.map(reaction => ({ ...reaction, entrance, step, cut }))
    }),
  )
})
type Case = (typeof CASES)[number]

const stage = gameStage(1)
let winners = 0

/** Opens a winner behind their own relay, with an account if the winner will log in. */
async function open(entrance: Entrance): Promise<Winner> {
  const name = `Winner ${++winners}`
  if (entrance === 'sign-in') await new Client(stage.url()).createAccount(name, PASSWORD)
  const relay = await HttpRelay.open(stage.url())
  const browser = new Client(relay.url)
  await browser.session()
  return { name, relay, browser, start: { start: '', target_time: 0 }, taps: 0 }
}

/** Takes a step whose call is cut off, then takes the step again. */
async function takeTwice(winner: Winner, step: Step, { cut, reloads, forgets }: Case): Promise<void> {
  const before = winner.browser.copy()
  winner.relay.breakOff(step.path, cut)
  await expect(step.take(winner)).rejects.toThrow(TypeError)
  winner.relay.stopBreaking()
  if (forgets) winner.browser = before
  const session = reloads ? await winner.browser.session() : null
  if (session && step.isDone === isSignedIn) expectEntered(winner, session, cut, forgets)
  if (!session || !step.isDone(session)) await step.take(winner)
}

/** Expects what a reloaded page shows after a lost sign-up or sign-in. */
function expectEntered({ name, taps }: Winner, { user, prize }: Session, cut: Cut, forgets: boolean): void {
  const hasSession = cut === 'in the body of the answer' && !forgets
  // The account already has the prize, unless the request never reached the server.
  const shown = hasSession || cut === 'before the request' ? taps : undefined
  expect([user?.username, prize?.taps]).toEqual([hasSession ? name : undefined, shown])
}

/** Expects one attempt whose prize is the whole balance. */
async function expectCredited({ name, taps, browser }: Winner): Promise<void> {
  const { user, prize } = await browser.session()
  expect([user?.username, user?.taps_balance, prize]).toEqual([name, taps, null])
  expect(taps).toBeGreaterThan(0)
  const attempts = await stage.auditor.rows(
    `select taps from attempts join prize_ends on attempt_id = attempts.id join users on users.id = claimed_by
    where attempts.username = $1 and users.username = $1`,
    [name],
  )
  expect(attempts).toEqual([{ taps }])
}

const NAMED_CASES = CASES.map(each => [each.step, each.cut, each.reaction, each.entrance, each] as const)

it.concurrent.for(NAMED_CASES)(
  'credits the winner once when the %s call is cut off %s and %s (%s)',
  async ([lost, , , entrance, each]) => {
    const winner = await open(entrance)
    for (const step of journey(entrance)) {
      await (step === lost ? takeTwice(winner, STEPS[step], each) : STEPS[step].take(winner))
    }
    await expectCredited(winner)
    await winner.relay.cut()
  },
)

it('the ledger is balanced after all lost replies', async () => {
  expect(await stage.auditor.contradictions()).toEqual([])
})
