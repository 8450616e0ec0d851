import { Problem } from '../problem.ts'

/**
 * An input that has waited longer than this is refused, too: with the statement timeout this bounds the time to an answer
 * while the database hangs. While it does not, ten thousand inputs wait for half a second on a small machine.
 */
const LONGEST_WAIT_MS = 3_000

interface Limits {
  /** The most inputs that one run takes. */
  readonly size: number
  /** The most inputs that may wait; one more is refused with `unavailable`. */
  readonly waiting: number
}

interface Waiter<Input, Output> {
  readonly input: Input
  /** Monotonic, ms. */
  readonly since: number
  readonly resolve: (output: Output) => void
  readonly reject: (reason: unknown) => void
}

/** A result for one input of a batch; an Error fails that input alone. */
export type Settled<Output> = Output | Error

/**
 * Runs inputs together: those that arrive during a run form the next batch. There is no timer: the first input runs at
 * once, the next batch as soon as the run before has ended.
 *
 * @param run returns one outcome per input, in order; when it throws, every input of the batch fails
 * @throws Problem `unavailable` from the returned function when too many inputs wait, or for too long
 */
export function batched<Input, Output>(
  run: (inputs: Input[]) => Promise<Settled<Output>[]>,
  limits: Limits,
): (input: Input) => Promise<Output> {
  let waiting: Waiter<Input, Output>[] = []
  let running = false

  function nextBatch(): Waiter<Input, Output>[] {
    const oldest = performance.now() - LONGEST_WAIT_MS
    const late = waiting.filter(({ since }) => since < oldest)
    for (const { reject } of late) reject(unavailable())
    const batch = waiting.slice(late.length, late.length + limits.size)
    waiting = waiting.slice(late.length + batch.length)
    return batch
  }

  async function drain(): Promise<void> {
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) await settle(batch, run)
    running = false
  }

  return input => {
    if (waiting.length >= limits.waiting) return Promise.reject(unavailable())
    return new Promise((resolve, reject) => {
      waiting.push({ input, since: performance.now(), resolve, reject })
      if (running) return
      running = true
      // Inputs of the same turn of the event loop join the batch.
      setImmediate(drain)
    })
  }
}

function unavailable(): Problem {
  return new Problem('unavailable', { retryAfter: 1, isFull: true })
}

async function settle<Input, Output>(
  batch: Waiter<Input, Output>[],
  run: (inputs: Input[]) => Promise<Settled<Output>[]>,
): Promise<void> {
  try {
    const outcomes = await run(batch.map(({ input }) => input))
    for (const [place, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[place] ?? new Error('A batch gave too few outcomes')
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

/** One read answers all calls of a moment; calls that arrive during a read share the next one. */
export function shared<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  const ask = batched<null, Answer>(
    async asked => {
      const answer = await read()
      return asked.map(() => answer)
    },
    { size: 1_000, waiting: 20_000 },
  )
  return () => ask(null)
}
