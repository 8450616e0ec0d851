import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ACTUAL_MAX_MS, WIN_SEEN_MS, WIN_SHOWN_MS } from '../../contract/rules.ts'
import { MESSAGES } from '../messages.ts'
import { GUEST, gameRig, recorded } from '../testing/game.ts'
import { later } from '../testing/later.ts'
import { problem } from '../testing/problem.ts'

const NEXT = { token: 'next', target_time: 1.5 }
const USER = { id: 7, username: 'Ada', taps_balance: 3 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Rig = ReturnType<typeof gameRig>

/** Plays a round that wins by stopping 10 ms early. */
async function play({ game }: Rig) {
  game.press(0)
  game.press(3_200)
  await vi.advanceTimersByTimeAsync(0)
}

async function winningRig() {
  const rig = gameRig()
  rig.sender.send.mockResolvedValue(recorded({ won_taps: 4 }))
  await play(rig)
  return rig
}

test('takes a Start back as if it had not happened, and leaves later rounds and a Stop alone', async () => {
  const { game, sender, shown } = gameRig()
  game.press(0)
  game.press(3_900)
  await vi.advanceTimersByTimeAsync(0)
  const before = shown()
  game.press(9_000)
  game.takeBack(8_000)
  expect(shown().round.phase).toBe('running')
  game.takeBack(9_000)
  expect(shown()).toEqual(before)
  expect(sender.start.mock.lastCall?.[2].aborted, 'Start is not sent again').toBe(true)
  await vi.advanceTimersByTimeAsync(500)
  game.press(9_500)
  await vi.advanceTimersByTimeAsync(ACTUAL_MAX_MS - 1)
  expect(shown().round.phase, 'the run that was taken back ends no later run').toBe('running')
  game.press(12_000)
  const stopped = shown()
  game.takeBack(9_500)
  expect(shown()).toEqual(stopped)
})

test.each([
  ['1.8 s after Stop', 500, WIN_SHOWN_MS - 500],
  ['0.9 s after a late answer', 1_500, WIN_SEEN_MS],
])('opens claim mode %s', async (_when, answeredMs, leftMs) => {
  const rig = gameRig()
  const answer = later<ReturnType<typeof recorded>>()
  rig.sender.send.mockReturnValue(answer.promise)
  await play(rig)
  await vi.advanceTimersByTimeAsync(3_200 + answeredMs - performance.now())
  answer.resolve(recorded({ won_taps: 4 }))
  await vi.advanceTimersByTimeAsync(leftMs - 1)
  expect(rig.shown().view).toBe('main')
  await vi.advanceTimersByTimeAsync(1)
  expect(rig.shown().view).toBe('claim')
})

test('opens claim mode at a press 0.9 s after a winning result, and ignores earlier presses', async () => {
  const { game, shown } = await winningRig()
  game.press(3_200 + WIN_SEEN_MS - 1)
  expect(shown()).toMatchObject({ view: 'main', won: 4, round: { phase: 'stopped' } })
  game.press(3_200 + WIN_SEEN_MS)
  expect(shown()).toMatchObject({ view: 'claim', won: 4, round: { phase: 'stopped' } })
})

test('does not reopen claim mode for a player who has left it', async () => {
  const { game, shown } = await winningRig()
  game.show('claim')
  game.show('main')
  await vi.advanceTimersByTimeAsync(WIN_SHOWN_MS)
  expect(shown().view).toBe('main')
  game.press(4_200)
  expect(shown()).toMatchObject({ round: { phase: 'running' }, won: null })
})

test('does not open claim mode for a player who logs in while a win is being recorded', async () => {
  const rig = gameRig()
  const answer = later<ReturnType<typeof recorded>>()
  rig.sender.send.mockReturnValue(answer.promise)
  await play(rig)
  rig.game.show('login')
  answer.resolve(recorded({ won_taps: 4 }))
  await vi.advanceTimersByTimeAsync(WIN_SHOWN_MS)
  expect(rig.shown()).toMatchObject({ view: 'login', won: 4 })
})

describe('Start', () => {
  test("begins a round with the user's name, unchecked", () => {
    const user = { ...USER, username: 'new;emoji' }
    const { game, sender } = gameRig({ ...GUEST, user })
    game.press(17)
    expect(sender.start).toHaveBeenCalledWith(
      { round: 'token', username: 'new;emoji' },
      17,
      expect.anything(),
    )
  })

  test('shows a name problem next to the name field, until the name changes', () => {
    const { game, page, guest, shown } = gameRig()
    guest.set({ ...guest.get(), username: 'a;b' })
    game.press(0)
    expect(page.focusName).toHaveBeenCalledOnce()
    expect(shown()).toMatchObject({ nameProblem: expect.stringContaining('cannot contain ;'), message: null })
    guest.set({ username: 'another', taps_balance: 0, isGuest: true })
    expect(shown().nameProblem).toBeNull()
    game.press(1)
    expect(shown()).toMatchObject({ message: null, round: { phase: 'running' } })
  })

  test('plays the round of a refusal, and says that the game needs cookies when that is refused too', async () => {
    const { game, sender, session, replaceSession, shown } = gameRig()
    session.takeRound.mockImplementation(round => replaceSession({ round }))
    for (const [index, message] of [problem('stale_round').title, MESSAGES.cookies].entries()) {
      const brought = { ...NEXT, token: `brought ${index}` }
      sender.start.mockResolvedValue({ ...problem('stale_round'), round: brought })
      game.press(10_000 * index)
      await vi.advanceTimersByTimeAsync(0)
      expect(shown()).toMatchObject({ message, round: { phase: 'idle' } })
      expect(session.refetch).toHaveBeenLastCalledWith(brought)
    }
    expect(sender.start.mock.calls.map(([{ round }]) => round)).toEqual(['token', 'brought 0'])
  })

  test('shows no message when refused after the end of the run', async () => {
    const { game, sender, shown } = gameRig()
    const answer = later<ReturnType<typeof problem>>()
    sender.start.mockReturnValue(answer.promise)
    game.press(0)
    game.abandon('ended')
    answer.resolve(problem('stale_round'))
    await vi.advanceTimersByTimeAsync(0)
    expect(shown().message).toBe('ended')
  })
})

describe('a run', () => {
  test('ends by itself after ten minutes', async () => {
    const { game, sender, shown } = gameRig()
    game.press(0)
    await vi.advanceTimersByTimeAsync(ACTUAL_MAX_MS - 1)
    expect(shown().round.phase).toBe('running')
    await vi.advanceTimersByTimeAsync(1)
    expect(shown()).toMatchObject({ message: MESSAGES.tooLong, round: { phase: 'idle' } })
    expect(sender.send).not.toHaveBeenCalled()
  })

  test('leaves no timer and no request behind when abandoned, and does not abort the next Start', async () => {
    const { game, sender, shown } = gameRig()
    game.press(0)
    game.abandon('ended')
    expect(sender.start.mock.lastCall?.[2].aborted, 'Start is not sent again').toBe(true)
    await vi.advanceTimersByTimeAsync(5_000)
    game.press(5_000)
    expect(sender.start.mock.lastCall?.[2].aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(ACTUAL_MAX_MS - 1)
    expect(shown().round.phase, 'the abandoned run ends no later run').toBe('running')
  })

  test('continues after a refetch, and ends when another tab has played its round', () => {
    const { game, replaceSession, shown } = gameRig()
    game.press(0)
    replaceSession({ rank: 3 })
    expect(shown().round.phase).toBe('running')
    replaceSession({ round: NEXT })
    expect(shown()).toMatchObject({ message: MESSAGES.overtaken, round: { phase: 'idle' } })
  })

  test('ends with a message when the player leaves the main view', () => {
    const { game, shown } = gameRig()
    game.show('login')
    expect(shown()).toMatchObject({ view: 'login', message: null })
    game.show('main', 'Welcome')
    expect(shown()).toMatchObject({ view: 'main', message: 'Welcome' })
    game.press(0)
    game.show('main')
    expect(shown().round.phase, 'showing the main view does not end the run').toBe('running')
    game.show('login')
    expect(shown()).toMatchObject({ message: MESSAGES.interrupted, round: { phase: 'idle' } })
  })
})
