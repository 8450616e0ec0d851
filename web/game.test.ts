import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ACTUAL_MAX_MS, WIN_SEEN_MS, WIN_SHOWN_MS } from '../contract/rules.ts'
import { MESSAGES } from './messages.ts'
import { GUEST, gameRig, ROUND, recorded } from './testing/game.ts'
import { later } from './testing/later.ts'
import { problem } from './testing/problem.ts'

const NEXT = { token: 'next', target_time: 1.5 }
const USER = { id: 7, username: 'Ada', taps_balance: 3 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Rig = ReturnType<typeof gameRig>

/** Plays a round that wins, 10 ms before its target. */
async function play({ game }: Rig) {
  game.press(0)
  game.press(3_200)
  await vi.advanceTimersByTimeAsync(0)
}

async function playedRig() {
  const rig = gameRig()
  rig.sender.send.mockResolvedValue(recorded({ won_taps: 4 }))
  await play(rig)
  return rig
}

test('a winning result stays for 1.8 s, and then claim mode comes', async () => {
  const { shown } = await playedRig()
  await vi.advanceTimersByTimeAsync(WIN_SHOWN_MS - 1)
  expect(shown()).toMatchObject({ view: 'main', won: 4, round: { phase: 'stopped' } })
  await vi.advanceTimersByTimeAsync(1)
  expect(shown()).toMatchObject({ view: 'claim', won: 4, round: { phase: 'stopped' } })
})

test('a press from 0.9 s on brings claim mode at once, and one before does nothing', async () => {
  const { game, shown } = await playedRig()
  game.press(3_200 + WIN_SEEN_MS - 1)
  expect(shown()).toMatchObject({ view: 'main', won: 4, round: { phase: 'stopped' } })
  game.press(3_200 + WIN_SEEN_MS)
  expect(shown()).toMatchObject({ view: 'claim', won: 4, round: { phase: 'stopped' } })
})

test('who has gone to the claim and back meanwhile is not taken there again', async () => {
  const { game, shown } = await playedRig()
  game.show('claim')
  game.show('main')
  await vi.advanceTimersByTimeAsync(WIN_SHOWN_MS)
  expect(shown().view).toBe('main')
  game.press(4_200)
  expect(shown()).toMatchObject({ round: { phase: 'running' }, won: null })
})

test('who logs in while a win is recorded is not taken to the claim', async () => {
  const rig = gameRig()
  const answer = later<ReturnType<typeof recorded>>()
  rig.sender.send.mockReturnValue(answer.promise)
  await play(rig)
  rig.game.show('login')
  answer.come(recorded({ won_taps: 4 }))
  await vi.advanceTimersByTimeAsync(WIN_SHOWN_MS)
  expect(rig.shown()).toMatchObject({ view: 'login', won: 4 })
})

test('an attempt that wins nothing stays in view, and everybody who has to know is told', async () => {
  const rig = gameRig()
  await play(rig)
  await vi.advanceTimersByTimeAsync(WIN_SHOWN_MS)
  expect(rig.shown()).toMatchObject({ view: 'main', won: null, message: null, sending: false, begun: true })
  expect(rig.page.onRecorded).toHaveBeenCalledOnce()
  expect(rig.session.recorded).toHaveBeenCalledOnce()
})

describe('Start', () => {
  test('begins a round with the name of the guest, which is the one that is sent', async () => {
    const rig = gameRig()
    expect(rig.shown()).toMatchObject({ begun: false, round: { phase: 'idle' } })
    rig.page.checkName.mockReturnValueOnce({ ok: true, name: 'trimmed' })
    await play(rig)
    expect(rig.page.checkName).toHaveBeenCalledWith('ola')
    expect(rig.sender.start.mock.calls[0]?.[0]).toEqual({ round: 'token', username: 'trimmed' })
    const [pending] = rig.sender.send.mock.calls[0] ?? []
    const times = { target_ms: 3_210, actual_ms: 3_200 }
    expect(pending).toEqual({ round: 'token', start: null, username: 'trimmed', ...times })
  })

  test('begins a round with the name of the account, which this browser does not judge', () => {
    const { game, page, sender } = gameRig({ ...GUEST, user: USER })
    page.checkName.mockReturnValue({ ok: false, blank: false, problem: 'Unknown emoji' })
    game.press(17)
    expect(sender.start).toHaveBeenCalledWith({ round: 'token', username: 'Ada' }, 17, expect.anything())
  })

  test('does nothing before the session is there', () => {
    const { game, shown } = gameRig(null)
    game.press(0)
    expect(shown()).toMatchObject({ begun: false, round: { phase: 'idle' } })
  })

  test('does nothing while an attempt is on its way, and again once that is recorded', async () => {
    const rig = gameRig()
    const answer = later<ReturnType<typeof recorded>>()
    rig.sender.send.mockReturnValue(answer.promise)
    await play(rig)
    rig.game.press(9_000)
    expect(rig.shown()).toMatchObject({ sending: true, round: { phase: 'stopped' } })
    answer.come(recorded())
    await vi.advanceTimersByTimeAsync(0)
    rig.game.press(9_000)
    expect(rig.shown().round.phase).toBe('running')
  })

  test('says at the name why it cannot be used, until it is another, and in no other place', () => {
    const { game, page, guest, shown } = gameRig()
    page.checkName.mockReturnValueOnce({ ok: false, blank: false, problem: 'Odd name' })
    game.press(0)
    expect(page.alert).not.toHaveBeenCalled()
    expect(page.focusName).toHaveBeenCalledOnce()
    expect(shown()).toMatchObject({ nameProblem: 'Odd name', message: null, begun: false })
    guest.set({ username: 'another', taps_balance: 0, isGuest: true })
    expect(shown().nameProblem).toBeNull()
    game.press(1)
    expect(shown()).toMatchObject({ message: null, round: { phase: 'running' } })
  })

  test('that the server refuses ends the run with the reason, and brings the round in hand', async () => {
    const { game, sender, session, page, shown } = gameRig()
    sender.start.mockResolvedValue({ ...problem('stale_round'), round: NEXT })
    game.press(0)
    await vi.advanceTimersByTimeAsync(0)
    expect(shown()).toMatchObject({ message: problem('stale_round').title, nameProblem: null })
    expect(shown().round.phase).toBe('idle')
    expect(sender.start.mock.calls[0]?.[2].aborted, 'nobody sends it again').toBe(true)
    expect(session.takeRound).toHaveBeenCalledExactlyOnceWith(NEXT)
    expect(session.refetch).toHaveBeenCalledOnce()
    expect(page.focusName).not.toHaveBeenCalled()
  })

  test.each(['bad_username', 'blank_username'] as const)('refused as %s is about the name', async code => {
    const { game, sender, session, page, shown } = gameRig()
    sender.start.mockResolvedValue(problem(code))
    game.press(0)
    await vi.advanceTimersByTimeAsync(0)
    expect(shown()).toMatchObject({ nameProblem: problem(code).title, message: null })
    expect(page.focusName).toHaveBeenCalledOnce()
    expect(session.takeRound).not.toHaveBeenCalled()
  })

  test('that is refused after its run has ended says nothing', async () => {
    const { game, sender, shown } = gameRig()
    const answer = later<ReturnType<typeof problem>>()
    sender.start.mockReturnValue(answer.promise)
    game.press(0)
    game.abandon('ended')
    answer.come(problem('stale_round'))
    await vi.advanceTimersByTimeAsync(0)
    expect(shown().message).toBe('ended')
  })
})

describe('a run', () => {
  test('ends by itself when it has lasted as long as an attempt may', async () => {
    const { game, sender, shown } = gameRig()
    game.press(0)
    await vi.advanceTimersByTimeAsync(ACTUAL_MAX_MS - 1)
    expect(shown().round.phase).toBe('running')
    await vi.advanceTimersByTimeAsync(1)
    expect(shown()).toMatchObject({ message: MESSAGES.tooLong, round: { phase: 'idle' } })
    expect(sender.send).not.toHaveBeenCalled()
  })

  test('that was ended in time does not end the next one, nor give its Start up', async () => {
    const { game, sender, shown } = gameRig()
    game.press(0)
    game.abandon('ended')
    await vi.advanceTimersByTimeAsync(ACTUAL_MAX_MS - 1)
    game.press(ACTUAL_MAX_MS)
    await vi.advanceTimersByTimeAsync(1)
    expect(shown()).toMatchObject({ message: null, round: { phase: 'running' } })
    expect(sender.start.mock.lastCall?.[2].aborted).toBe(false)
  })

  test('stopped later than an attempt may last is none', () => {
    const { game, sender, shown } = gameRig()
    game.press(0)
    game.press(ACTUAL_MAX_MS + 1)
    expect(shown()).toMatchObject({ message: MESSAGES.tooLong, round: { phase: 'idle' } })
    expect(sender.send).not.toHaveBeenCalled()
  })

  test('of a device that has slept is not stopped by a press', () => {
    const { game, page, sender } = gameRig()
    game.press(0)
    page.slept.mockReturnValue(true)
    game.press(3_200)
    expect(sender.send).not.toHaveBeenCalled()
  })

  test('goes on when the session is read again, and ends when another tab has played its round', () => {
    const { game, come, shown } = gameRig()
    game.press(0)
    come({ rank: 3 })
    expect(shown().round.phase).toBe('running')
    come({ round: NEXT })
    expect(shown()).toMatchObject({ message: MESSAGES.overtaken, round: { phase: 'idle' } })
  })

  test('ends when another tab has logged in or out', () => {
    const { game, come, shown } = gameRig()
    game.press(0)
    come({ user: USER, round: NEXT })
    expect(shown()).toMatchObject({ message: MESSAGES.elsewhere, round: { phase: 'idle' } })
    game.press(1)
    come({ round: ROUND })
    expect(shown().message).toBe(MESSAGES.overtaken)
  })

  test('that is none does not end when another tab has logged in or out', () => {
    const { come, shown } = gameRig()
    come({ user: USER, round: NEXT })
    expect(shown()).toMatchObject({ message: null, round: { phase: 'idle' } })
  })

  test('ends when its mode is left, and lets nothing be said of a run that there is not', () => {
    const { game, shown } = gameRig()
    game.show('login')
    expect(shown()).toMatchObject({ view: 'login', message: null })
    game.show('main', 'Welcome')
    expect(shown()).toMatchObject({ view: 'main', message: 'Welcome' })
    game.press(0)
    game.show('main')
    expect(shown().round.phase, 'it is in its own mode').toBe('running')
    game.show('login')
    expect(shown()).toMatchObject({ message: MESSAGES.interrupted, round: { phase: 'idle' } })
  })
})
