/** The longest wait in the queue; bounds the time to an answer while the database hangs. */
const LONGEST_WAIT_MS = 3_000

export class QueueFullError extends Error {
  constructor() {
    super('The queue is full')
    this.name = 'QueueFullError'
  }
}

interface Limits {
  readonly size: number
  readonly waiting: number
}

interface Waiter<Input, Output> {
  readonly input: Input
  /** The monotonic time of arrival, ms. */
  readonly since: number
  readonly resolve: (output: Output) => void
  readonly reject: (reason: unknown) => void
}

/** The result of one input; an Error fails only that input. */
export type Settled<Output> = Output | Error

/**
 * Runs inputs in batches, without a timer: inputs that arrive during a run form the next batch.
 *
 * @param run - Returns one outcome per input, in order; when it throws, every input of the batch fails.
 * @throws {QueueFullError} from the returned function
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
    for (const { reject } of late) reject(new QueueFullError())
    const batch = waiting.slice(late.length, late.length + limits.size)
    waiting = waiting.slice(late.length + batch.length)
    return batch
  }

  async function drain(): Promise<void> {
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) await settle(batch, run)
    running = false
  }

  return input => {
    if (waiting.length >= limits.waiting) return Promise.reject(new QueueFullError())
    return new Promise((resolve, reject) => {
      waiting.push({ input, since: performance.now(), resolve, reject })
      if (running) return
      running = true
      // Inputs of the same event loop turn join the batch.
      setImmediate(drain)
    })
  }
}

async function settle<Input, Output>(
  batch: Waiter<Input, Output>[],
  run: (inputs: Input[]) => Promise<Settled<Output>[]>,
): Promise<void> {
  try {
    const outcomes = await run(batch.map(({ input }) => input))
    for (const [place, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[place]
      if (outcome === undefined) reject(new Error('A batch returned too few outcomes'))
      else if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

/** Shares one read among simultaneous calls. Calls that arrive during a read share the next read. */
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
