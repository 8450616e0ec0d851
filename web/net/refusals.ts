import type { Round } from '../../contract/api.ts'
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import { type Call, isRound } from './answers.ts'

export interface Refusal {
  readonly code: ProblemCode
  readonly title: string
  readonly round: Round | null
}

const COMMON = ['too_many_requests', 'cross_site'] as const
const NAME = ['blank_username', 'bad_username'] as const
const ROUND = ['stale_round', 'bad_token'] as const

/** The refusals that each call can give. None is a code that any program may use for an address it doesn't have. */
export const REFUSALS: Readonly<Partial<Record<Call, readonly ProblemCode[]>>> = {
  'POST /api/rounds': [...NAME, ...ROUND],
  'POST /api/attempts': [...NAME, ...ROUND, 'round_already_played', 'round_expired'],
  'POST /api/login': ['missing_credentials', 'invalid_password', 'account_banned', 'unknown_username'],
  'POST /api/users': ['username_taken', 'account_banned', 'weak_password', 'bad_username'],
  'POST /api/claim': ['login_required'],
  'POST /api/password': ['login_required', 'invalid_password', 'weak_password', 'password_changed'],
  'POST /api/users/delete': ['login_required', 'invalid_password'],
}

/**
 * Returns the game's refusal of a call, or null. A refusal whose title was lost on the way counts only when its
 * status and code fit each other and the call: a router's 404 must not end an attempt.
 */
export function refusalOf(call: Call, status: number, body: unknown): Refusal | null {
  if (typeof body !== 'object' || body === null) return null
  const { code, title, status: named, round } = body as Partial<Record<string, unknown>>
  if (!isProblemCode(code) || (round !== undefined && !isRound(round))) return null
  const found = { code, round: round ?? null }
  if (typeof title === 'string' && title.trim() !== '') return { ...found, title }
  const problem = PROBLEMS[code]
  const fits = named === status && status === problem.status && codesOf(call).includes(code)
  return fits ? { ...found, title: problem.title } : null
}

function codesOf(call: Call): readonly ProblemCode[] {
  return [...COMMON, ...(REFUSALS[call] ?? [])]
}

function isProblemCode(code: unknown): code is ProblemCode {
  return typeof code === 'string' && Object.hasOwn(PROBLEMS, code)
}
