import type { FastifyInstance } from 'fastify'
import { ENDPOINTS, type Recorded } from '../../contract/api.ts'
import { NO_RECORD, requireUser } from '../people/player.ts'
import { attemptsOf } from '../play/attempts.ts'
import { rankOf } from '../play/leaderboard.ts'
import { record, start } from '../play/play.ts'
import { claim } from '../play/prizes.ts'
import { Problem } from '../problem.ts'
import { findOrCreatePlayer, type RequestContext, type Services, serve } from './route.ts'

export function addPlay(app: FastifyInstance, services: Services): void {
  const { authenticate, database, poller, rounds } = services

  serve(app, services, ENDPOINTS.session, async context => {
    const { user, prize, playerId, lastAttempt, record } =
      context.caller?.state ?? (await findOrCreatePlayer(services, context))
    const rank = user && (await rankOf(database, user))
    return { user, rank, prize, round: rounds.issueNext(playerId, lastAttempt), record }
  })

  serve(app, services, ENDPOINTS.startRound, async context => {
    const { body, caller, reply } = context
    const started = await start(services, caller, rounds.readRound(body.round), body.username)
    if (!started) {
      const { playerId, lastAttempt } = caller?.state ?? (await findOrCreatePlayer(services, context))
      throw new Problem('stale_round', { round: rounds.issueNext(playerId, lastAttempt) })
    }
    reply.code(201)
    return started
  })

  serve(app, services, ENDPOINTS.recordAttempt, context => recordAttempt(services, context))

  serve(app, services, ENDPOINTS.myAttempts, async ({ caller }) => {
    const state = caller && (caller.state ?? (await authenticate(caller.credentials)))
    return state ? attemptsOf(database, state.playerId) : { attempts: [], record: NO_RECORD }
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

async function recordAttempt(
  services: Services,
  context: RequestContext<typeof ENDPOINTS.recordAttempt>,
): Promise<Recorded> {
  const { rounds } = services
  const { body, caller, reply } = context
  const outcome = await record(services, caller, rounds.readStart(body.start), body)
  // Other outcomes depend on what another request has changed since the caller's state was read.
  const state = outcome.kind === 'recorded' ? outcome.state : await findOrCreatePlayer(services, context)
  const round = rounds.issueNext(state.playerId, state.lastAttempt)
  if (!('attempt' in outcome)) throw new Problem(outcome.kind, { round })
  if (outcome.kind === 'recorded') reply.code(201)
  const { attempt, reason } = outcome
  // A repeated answer has the record that the first one had.
  const carried = outcome.kind === 'repeated' ? outcome.record : null
  const { prize, record: newest } = state
  return { attempt, verified: attempt.verified, reason, prize, round, record: carried ?? newest }
}
