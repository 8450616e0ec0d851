import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry } from 'prom-client'
import type { Env } from '../env.ts'
import { shared } from '../lib/batch.ts'
import { ROOT } from '../lib/root.ts'
import type { Means, Node } from '../node.ts'
import { freePort } from '../testing/free-port.ts'
import { Seat, type Word } from './seat.ts'

/** What a worker runs. */
const PROGRAM = fileURLToPath(new URL('dist/server/worker.js', ROOT))

/**
 * Opens a server of several processes that share one port. Each takes new connections from the same queue of the
 * system; a worker that ends is replaced. What a worker needs of the others goes through here.
 *
 * @throws StartError when one of them does not start; none is left then
 */
export async function openWorkers(env: Env, means: Means, { log }: FastifyInstance): Promise<Node> {
  // What the primary hands to a worker that is killed in that moment hangs for good: docs/decisions/0010-workers.md.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: PROGRAM, args: [] })
  // A port that the system chooses must be the same for every worker, also for those who come later.
  const port = env.port === 0 ? await freePort(env.host) : env.port
  const order = { kind: 'serve', means, port } as const
  const seats = Array.from({ length: env.workers }, () => new Seat(order, hear, log))
  const figures = shared(() => addUp(seats))

  function hear(word: Word, from: Seat): void {
    if (word.kind === 'figures') return void answerFigures(from)
    for (const seat of seats) if (seat !== from) seat.send(word)
  }

  async function answerFigures(asker: Seat): Promise<void> {
    try {
      asker.send({ kind: 'figures', text: await figures() })
    } catch (error) {
      // Who asked gives up by itself, and says so.
      log.warn({ err: error }, 'the figures of the workers could not be added up')
    }
  }

  const close = async () => {
    await Promise.all(seats.map(seat => seat.close()))
  }
  try {
    const [first] = await Promise.all(seats.map(seat => seat.fill()))
    return { address: first?.address ?? '', close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The figures of those who answer, added up. */
async function addUp(seats: readonly Seat[]): Promise<string> {
  const reports = await Promise.all(seats.map(seat => seat.report()))
  return AggregatorRegistry.aggregate(reports.filter(report => report !== null)).metrics()
}
