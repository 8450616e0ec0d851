import { vi } from 'vitest'
import type { Attempt, PlayerRecord, PrizePool } from '../../contract/api.ts'
import { createStore } from '../lib/store.ts'
import type { Recorded } from '../net/answers.ts'
import type { Dare } from '../round/against.ts'
import type { AttemptSender } from '../round/attempt-sender.ts'
import { Game } from '../round/game.ts'
import type { PendingAttempt } from '../round/pending-attempt.ts'
import type { Guest } from '../session/guest.ts'
import type { PageSession, SessionKeeper, SessionState } from '../session/session.ts'

export const ROUND = { token: 'token', target_time: 3.21 }
export const RECORD: PlayerRecord = { rounds: 0, best: null, streak: 0 }
export const GUEST: PageSession = {
  ...{ user: null, rank: null, prize: null, round: ROUND, holdEndsAt: null, lostTaps: null },
}

export const PENDING: PendingAttempt = {
  round: 'r1',
  start: null,
  username: 'ola',
  target_ms: 3_210,
  actual_ms: 3_248,
  rounds: 10,
}

export const ATTEMPT: Attempt = {
  ...{ id: 11, username: 'ola', is_guest: true, target_time: 3.21, actual_time: 3.248, difference: 0.038 },
  ...{ taps_added: 1, claimed: false, verified: true, won_taps: null, created_at: '2026-01-01T00:00:00Z' },
}

/** Returns the server's answer to an attempt. */
export function recorded(part: Partial<Recorded> & { won_taps?: number } = {}): {
  readonly ok: true
  readonly body: Recorded
} {
  const { won_taps = null, ...more } = part
  const attempt = { ...ATTEMPT, won_taps }
  return {
    ok: true,
    body: { attempt, verified: true, reason: null, prize: null, round: ROUND, record: RECORD, ...more },
  }
}

/** Returns a game with mocked dependencies. */
export function gameRig(session: PageSession | null = GUEST) {
  const state = createStore<SessionState>({ session, waiting: null })
  const guest = createStore<Guest>({ username: 'ola', taps_balance: 0, isGuest: true })
  const keeper = {
    load: vi.fn<SessionKeeper['load']>(async () => undefined),
    refetch: vi.fn<SessionKeeper['refetch']>(async () => null),
    renew: vi.fn<SessionKeeper['renew']>(async () => undefined),
    signedIn: vi.fn<SessionKeeper['signedIn']>(),
    claimed: vi.fn<SessionKeeper['claimed']>(),
    recorded: vi.fn<SessionKeeper['recorded']>(),
    takeRound: vi.fn<SessionKeeper['takeRound']>(),
  }
  const sender = {
    leftOver: vi.fn<AttemptSender['leftOver']>(() => null),
    start: vi.fn<AttemptSender['start']>(async () => ({ ok: true, body: null })),
    send: vi.fn<AttemptSender['send']>(async () => recorded()),
  }
  const pool = createStore<PrizePool | null>(null)
  const page = {
    focusName: vi.fn<() => void>(),
    meetDare: vi.fn<(differenceMs: number) => Dare | null>(() => null),
    onRecorded: vi.fn<(recorded: Recorded) => void>(),
    onRefused: vi.fn<() => void>(),
  }
  const game = new Game({ session: { state, ...keeper }, guests: { guest }, sender, pool, ...page })
  /** Changes parts of the session, as a refetch does. */
  const replaceSession = (part: Partial<PageSession>) =>
    state.set({ ...state.get(), session: { ...(state.get().session ?? GUEST), ...part } })
  return { game, session: keeper, sender, pool, page, guest, replaceSession, shown: () => game.state.get() }
}
