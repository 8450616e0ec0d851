import { Refusal } from './problem.ts'

interface Limits {
  /** The most inputs that one run takes. */
  readonly size: number
  /** The most inputs that may wait; one more is refused with `unavailable`. */
  readonly waiting: number
}

interface Waiter<Input, Output> {
  readonly input: Input
  readonly resolve: (output: Output) => void
  readonly reject: (reason: unknown) => void
}

/** A result for one input of a batch; an Error fails that input alone. */
export type Outcome<Output> = Output | Error

/**
 * Runs inputs together: those that arrive while a run is under way wait and form the next batch. There is
 * no timer: an idle batcher runs at once, a busy one runs again as soon as the run before has returned.
 *
 * @param run gives one outcome per input, in order; when it throws, every input of the batch fails with it
 * @throws Refusal `unavailable` from the returned function when too many inputs wait
 */
export function batched<Input, Output>(
  run: (inputs: Input[]) => Promise<Outcome<Output>[]>,
  limits: Limits,
): (input: Input) => Promise<Output> {
  let waiting: Waiter<Input, Output>[] = []
  let running = false

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, limits.size)
      waiting = waiting.slice(limits.size)
      await settle(batch, run)
    }
    running = false
  }

  return input => {
    if (waiting.length >= limits.waiting) return Promise.reject(new Refusal('unavailable', { retryAfter: 1 }))
    return new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (running) return
      running = true
      // The inputs that the same turn of the event loop brings ride along.
      setImmediate(drain)
    })
  }
}

async function settle<Input, Output>(
  batch: Waiter<Input, Output>[],
  run: (inputs: Input[]) => Promise<Outcome<Output>[]>,
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
