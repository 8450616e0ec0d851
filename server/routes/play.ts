import type { FastifyInstance } from 'fastify'
import { ENDPOINTS } from '../../contract/api.ts'
import { requireUser } from '../people/caller.ts'
import { attemptsOf } from '../play/attempts.ts'
import { rankOf } from '../play/leaderboard.ts'
import { record, start } from '../play/play.ts'
import { claim } from '../play/prizes.ts'
import { Problem } from '../problem.ts'
import { callerOf, readState, type Services, serve } from './route.ts'

export function addPlay(app: FastifyInstance, services: Services): void {
  const { authenticator, comparison, database, poller, rounds } = services

  serve(app, services, ENDPOINTS.session, async context => {
    const caller = callerOf(services, context)
    const { user, prize, playerId, lastAttempt } =
      caller.state ?? (await readState(services, caller, context))
    const rank = user && (await rankOf(database, user))
    return { user, rank, prize, round: rounds.issueNext(playerId, lastAttempt) }
  })

  serve(app, services, ENDPOINTS.startRound, async context => {
    const { body, reply } = context
    const round = rounds.readRound(body.round)
    const caller = callerOf(services, context)
    const started = await start(services, caller, round, body.username)
    if (!started) {
      const { playerId, lastAttempt } = caller.state ?? (await readState(services, caller, context))
      throw new Problem('stale_round', { round: rounds.issueNext(playerId, lastAttempt) })
    }
    reply.code(201)
    return started
  })

  serve(app, services, ENDPOINTS.recordAttempt, async context => {
    const { body, reply } = context
    const round = rounds.readStart(body.start)
    const caller = callerOf(services, context)
    const rereadState = () => readState(services, caller, context)
    const { isNew, answer } = await record(services, { caller, round, body, rereadState })
    if (isNew) reply.code(201)
    const closer_than = comparison.closerThan(answer.attempt.difference)
    return closer_than === undefined ? answer : { ...answer, closer_than }
  })

  serve(app, services, ENDPOINTS.myAttempts, async ({ caller }) => {
    const state = caller && (caller.state ?? (await authenticator.authenticate(caller.credentials)))
    return state ? attemptsOf(database, state.playerId) : { attempts: [] }
  })

  serve(app, services, ENDPOINTS.claim, async ({ caller }) => {
    const { user, prize } = requireUser(caller)
    // Avoids the pool's lock when there is nothing to claim.
    if (!prize) return { taps: 0, user }
    const claimed = await claim(database, user)
    if (claimed.taps > 0) poller.requestPoll()
    return claimed
  })
}
