import { type Static, Type } from 'typebox'
import { LEADERBOARD_SIZE, RECENT_ATTEMPTS, TODAY_SIZE } from '../rules.ts'
import { Attempt, type Endpoint, Instant, nullable, object, Seconds, Taps } from './shapes.ts'

export const AttemptList = object(
  { attempts: Type.Array(Attempt, { maxItems: RECENT_ATTEMPTS }) },
  'AttemptList',
)

export const Leaderboard = object(
  {
    leaderboard: Type.Array(object({ username: Type.String(), taps_balance: Taps }, 'LeaderboardRow'), {
      maxItems: LEADERBOARD_SIZE,
    }),
  },
  'Leaderboard',
)

export const Today = object(
  {
    day: Type.String({ format: 'date', description: "The UTC day of the database's clock" }),
    today: Type.Array(
      object({ username: Type.String(), is_guest: Type.Boolean(), average: Seconds }, 'TodayRow'),
      { maxItems: TODAY_SIZE },
    ),
  },
  'Today',
)

export const LastWin = object(
  { username: Type.String(), is_guest: Type.Boolean(), won_taps: Taps, created_at: Instant },
  'LastWin',
)

export const PrizePool = object({ taps: Taps, last_win: nullable(LastWin) }, 'PrizePool')

export const BOARDS = {
  recentAttempts: {
    method: 'GET',
    url: '/api/attempts',
    limit: 'reads',
    tag: 'boards',
    summary: 'The most recent attempts of all players, newest first',
    answers: { 200: AttemptList },
    problems: [],
  },
  leaderboard: {
    method: 'GET',
    url: '/api/leaderboard',
    limit: 'reads',
    tag: 'boards',
    summary: 'The users with the most TAPS, highest first; ties go to the account created first',
    answers: { 200: Leaderboard },
    problems: [],
  },
  today: {
    method: 'GET',
    url: '/api/today',
    limit: 'reads',
    tag: 'boards',
    summary:
      "The players with the best hands of the UTC day: the smallest average difference of a hand's five verified rounds first; ties go to the hand that ended first",
    answers: { 200: Today },
    problems: [],
  },
  prizePool: {
    method: 'GET',
    url: '/api/prize-pool',
    limit: 'reads',
    tag: 'boards',
    summary: 'The prize of the next win, and the last win',
    answers: { 200: PrizePool },
    problems: [],
  },
} as const satisfies Record<string, Endpoint>

export type AttemptList = Static<typeof AttemptList>
export type Leaderboard = Static<typeof Leaderboard>
export type Today = Static<typeof Today>
export type LastWin = Static<typeof LastWin>
export type PrizePool = Static<typeof PrizePool>
