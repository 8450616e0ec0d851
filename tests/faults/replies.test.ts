import { expect, it } from 'vitest'
import { Client } from '../support/client.ts'
import { CUTS, type Cut, HttpRelay } from '../support/relay.ts'
import { report, sized } from '../support/size.ts'
import { gameStage } from '../support/stage.ts'
import { PASSWORD, PATHS, type Step, Winner } from './winner.ts'

type Entrance = 'sign-up' | 'sign-in'
const ENTRANCES: readonly Entrance[] = ['sign-up', 'sign-in']

function journey(entrance: Entrance): Step[] {
  return ['start', 'save', entrance, 'claim']
}

/** The winner's reaction to a lost call. */
interface Reaction {
  readonly reaction: string
  readonly reloads: boolean
  /** Whether the browser still has the cookies from before the call. */
  readonly forgets: boolean
}
const REACTIONS: readonly Reaction[] = [
  { reaction: 'the call is sent again', reloads: false, forgets: false },
  { reaction: 'the call is sent again with the old cookies', reloads: false, forgets: true },
  { reaction: 'the page is reloaded', reloads: true, forgets: false },
  { reaction: 'the page is reloaded with the old cookies', reloads: true, forgets: true },
]

/** Returns the possible reactions. Only a sign-up or sign-in changes cookies. */
const reactionsTo = (step: Step) => REACTIONS.filter(({ forgets }) => !forgets || step.startsWith('sign'))
const CASES = ENTRANCES.flatMap(entrance =>
  journey(entrance).flatMap(step =>
    CUTS.flatMap(cut => reactionsTo(step).map(reaction => ({ entrance, step, cut, ...reaction }))),
  ),
)
/** The cases of the short run: each step with each cut, but with only one entrance and one reaction. */
const SHORT_CASES = CASES.filter(({ step, cut, reaction, entrance }) => {
  const turn = journey(entrance).indexOf(step) + CUTS.indexOf(cut)
  const reactions = reactionsTo(step)
  return (
    reaction === reactions[turn % reactions.length]?.reaction &&
    (step === entrance || entrance === ENTRANCES[turn % 2])
  )
})

const stage = gameStage(1)
let winners = 0

/** Opens a winner behind their own relay, with an account if the winner will log in. */
async function open(entrance: Entrance): Promise<{ winner: Winner; relay: HttpRelay }> {
  winners += 1
  const name = `Winner ${winners}`
  if (entrance === 'sign-in') await new Client(stage.url()).createAccount(name, PASSWORD)
  const relay = await HttpRelay.open(stage.url())
  return { winner: await Winner.open(relay.url, name), relay }
}

/** Takes a step whose call is cut off, then repairs the relay. */
async function lose(
  winner: Winner,
  relay: HttpRelay,
  step: Step,
  cut: Cut,
  { forgets }: Reaction,
): Promise<void> {
  const before = winner.browser.copy()
  relay.breakOff(PATHS[step], cut)
  await expect(winner.take(step)).rejects.toThrow(TypeError)
  relay.stopBreaking()
  if (forgets) winner.browser = before
}

/** Checks whether the browser received the session. */
const hasSession = (cut: Cut, { forgets }: Reaction) => cut === 'in the body of the answer' && !forgets

async function takeAgain(winner: Winner, step: Step, cut: Cut, reaction: Reaction): Promise<void> {
  if (!reaction.reloads) return winner.take(step)
  const { user, prize } = await winner.resume(step)
  if (!step.startsWith('sign')) return
  if (hasSession(cut, reaction))
    return expect([user?.username, prize?.taps]).toEqual([winner.name, winner.taps])
  // The account already has the prize, unless the request never reached the server.
  const taps = cut === 'before the request' ? winner.taps : undefined
  expect([user, prize?.taps]).toEqual([null, taps])
}

/** Expects one attempt whose prize is the whole balance. */
async function expectCredited({ name, taps, browser }: Winner): Promise<void> {
  const { user, prize } = await browser.session()
  expect([user?.username, user?.taps_balance, prize]).toEqual([name, taps, null])
  expect(taps).toBeGreaterThan(0)
  const { rows } = await stage.auditor.read(pool =>
    pool.query(
      `select count(*)::integer as attempts, sum(taps)::integer as taps
      from attempts join prize_ends on attempt_id = attempts.id join users on users.id = claimed_by
      where attempts.username = $1 and users.username = $1`,
      [name],
    ),
  )
  expect(rows).toEqual([{ attempts: 1, taps }])
}

const NAMED_CASES = sized(SHORT_CASES, CASES).map(
  each => [each.step, each.cut, each.reaction, each.entrance, each] as const,
)

it.concurrent.for(NAMED_CASES)(
  'credits the winner once when the %s call is cut off %s and %s (%s)',
  async ([lost, cut, _name, entrance, reaction]) => {
    const { winner, relay } = await open(entrance)
    for (const step of journey(entrance)) {
      if (step === lost) await lose(winner, relay, step, cut, reaction)
      await (step === lost ? takeAgain(winner, step, cut, reaction) : winner.take(step))
    }
    await expectCredited(winner)
    await relay.cut()
  },
)

it('the ledger is balanced and every prize is claimed after all lost replies', async () => {
  expect(await stage.auditor.attempts()).toBe(winners)
  expect(await stage.auditor.contradictions()).toEqual([])
  expect(await stage.auditor.endings()).toEqual({ held: 0, claimed: winners, returned: 0 })
  report('lost replies', { winners })
})
