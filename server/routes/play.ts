import type { FastifyInstance } from 'fastify'
import { CALLS } from '../../contract/api.ts'
import { rankOf } from '../game/leaderboard.ts'
import { record, start } from '../game/play.ts'
import { requireOwner } from './callers.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { serve } from './route.ts'

/** The calls a player makes: a visit, a Start, a Stop, a claim. */
export function addPlay(app: FastifyInstance, services: Services): void {
  const { claim, database, heartbeat, rounds, securityLog, visitors } = services

  serve(app, services, CALLS.session, async context => {
    const caller = context.caller ?? visitors.makeGuest(context)
    const { user, prize, player, last } = await visitors.locate(caller, context)
    const rank = user && (await rankOf(database, user))
    return { user, rank, prize, round: rounds.issueNext(player, last) }
  })

  serve(app, services, CALLS.startRound, async context => {
    const { body, reply, at } = context
    const round = rounds.readRound(body.round)
    const caller = context.caller ?? visitors.makeGuest(context)
    const started = await start(services, caller, round, body.username, at)
    if (!started) {
      const { player, last } = await visitors.locate(caller, context)
      throw new Problem('stale_round', { round: rounds.issueNext(player, last) })
    }
    reply.code(201)
    return started
  })

  serve(app, services, CALLS.recordAttempt, async context => {
    const { body, reply, at } = context
    const round = rounds.readStart(body.start)
    const caller = context.caller ?? visitors.makeGuest(context)
    const outcome = await record(services, caller, round, body, at)
    if (outcome.kind === 'recorded') {
      const { attempt, reason, prize } = outcome
      const next = rounds.issueNext(caller.player, { id: attempt.id, round: round.number })
      reply.code(201)
      return { attempt, verified: attempt.verified, reason, prize, round: next }
    }
    const { player, last, prize } = await visitors.locateAnew(caller.credentials, context)
    const next = rounds.issueNext(player, last)
    if (outcome.kind !== 'repeated') throw new Problem(outcome.kind, { round: next })
    const { attempt, reason } = outcome
    return { attempt, verified: attempt.verified, reason, prize, round: next }
  })

  serve(app, services, CALLS.claim, async ({ caller, request }) => {
    const { user, prize } = requireOwner(caller)
    securityLog.setUser(request, user.id)
    // Nobody waits for the pool's lock, which is held until the disk has taken the commit.
    if (!prize) return { taps: 0, user }
    const claimed = await claim(user)
    if (claimed.taps > 0) heartbeat.ask()
    return claimed
  })
}
