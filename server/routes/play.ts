import type { FastifyInstance } from 'fastify'
import { ENDPOINTS } from '../../contract/api.ts'
import type { Database } from '../database/connection.ts'
import type { DatabasePoller } from '../live/poller.ts'
import { requireUser } from '../people/caller.ts'
import type { Comparison } from '../play/comparison.ts'
import { rankOf } from '../play/leaderboard.ts'
import { type Play, record, start } from '../play/play.ts'
import type { createClaim } from '../play/prizes.ts'
import { Problem } from '../problem.ts'
import { callerOf, type RouteDeps, readState, serve } from './route.ts'

interface Deps extends RouteDeps {
  readonly comparison: Pick<Comparison, 'closerThan'>
  readonly database: Database
  readonly claim: ReturnType<typeof createClaim>
  readonly play: Play
  readonly poller: Pick<DatabasePoller, 'requestPoll'>
}

export function addPlay(app: FastifyInstance, deps: Deps): void {
  const { claim, comparison, database, play, poller } = deps
  const { rounds } = play

  serve(app, deps, ENDPOINTS.session, async context => {
    const caller = callerOf(deps, context)
    const { user, prize, playerId, lastAttempt } = caller.state ?? (await readState(deps, caller, context))
    const rank = user && (await rankOf(database, user))
    return { user, rank, prize, round: rounds.issueNext(playerId, lastAttempt) }
  })

  serve(app, deps, ENDPOINTS.startRound, async context => {
    const { body, reply } = context
    const round = rounds.readRound(body.round)
    const caller = callerOf(deps, context)
    const started = await start(play, caller, round, body.username)
    if (!started) {
      const { playerId, lastAttempt } = caller.state ?? (await readState(deps, caller, context))
      throw new Problem('stale_round', { round: rounds.issueNext(playerId, lastAttempt) })
    }
    reply.code(201)
    return started
  })

  serve(app, deps, ENDPOINTS.recordAttempt, async context => {
    const { body, reply } = context
    const round = rounds.readStart(body.start)
    const caller = callerOf(deps, context)
    const rereadState = () => readState(deps, caller, context)
    const { outcome, next } = await record(play, { caller, round, body, rereadState })
    if (!('attempt' in outcome)) throw new Problem(outcome.kind, { round: next.round })
    const { kind, attempt, reason } = outcome
    if (kind === 'recorded') reply.code(201)
    const closer_than = comparison.closerThan(attempt.difference)
    const compared = closer_than === undefined ? {} : { closer_than }
    return { attempt, verified: attempt.verified, reason, ...next, ...compared }
  })

  serve(app, deps, ENDPOINTS.claim, async ({ caller }) => {
    const { user, prize } = requireUser(caller)
    // Avoids the pool's lock when there is nothing to claim.
    if (!prize) return { taps: 0, user }
    const claimed = await claim(user)
    if (claimed.taps > 0) poller.requestPoll()
    return claimed
  })
}
