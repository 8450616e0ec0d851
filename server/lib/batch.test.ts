import { expect, test, vi } from 'vitest'
import { batched, QueueFullError, type Settled } from './batch.ts'

/** Creates a batcher of numbers. Each run ends when the test calls `end`. */
function createBatcher(limits = { size: 3, waiting: 4 }, outcome = (n: number): Settled<number> => n * 10) {
  const batches: number[][] = []
  const begun: (() => void)[] = []
  const ends: (() => void)[] = []
  const ask = batched<number, number>(async inputs => {
    batches.push(inputs)
    begun.shift()?.()
    await new Promise<void>(resolve => ends.push(resolve))
    return inputs.map(outcome)
  }, limits)
  /** Resolves when the next run has begun. */
  const nextRun = () => new Promise<void>(resolve => begun.push(resolve))
  return { ask, batches, nextRun, end: () => ends.shift()?.() }
}

test('batches the inputs that arrive during a run, in order and within the limit', async () => {
  const { ask, batches, nextRun, end } = createBatcher()
  let run = nextRun()
  const first = ask(1)
  await run
  const rest = [2, 3, 4, 5].map(ask)
  expect(batches).toEqual([[1]])
  run = nextRun()
  end()
  await run
  expect(batches).toEqual([[1], [2, 3, 4]])
  run = nextRun()
  end()
  await run
  end()
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
  expect(await Promise.all([first, ...rest])).toEqual([10, 20, 30, 40, 50])
})

test('refuses an input when the queue is full, and serves the other inputs', async () => {
  const { ask, nextRun, end } = createBatcher()
  let run = nextRun()
  const first = ask(1)
  await run
  const waiting = [2, 3, 4, 5].map(ask)
  await expect(ask(6)).rejects.toEqual(new QueueFullError())
  run = nextRun()
  end()
  await run
  // The second run has taken three inputs out of the queue.
  waiting.push(ask(7))
  run = nextRun()
  end()
  await run
  end()
  expect(await Promise.all([first, ...waiting])).toEqual([10, 20, 30, 40, 50, 70])
})

test('refuses an input that has waited for more than three seconds', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const { ask, batches, nextRun, end } = createBatcher()
  let run = nextRun()
  const first = ask(1)
  await run
  const late = ask(2)
  now.mockReturnValue(1)
  const patient = ask(3)
  now.mockReturnValue(3_001)
  const refusal = expect(late).rejects.toEqual(new QueueFullError())
  run = nextRun()
  end()
  await Promise.all([run, refusal])
  end()
  expect(await Promise.all([first, patient])).toEqual([10, 30])
  expect(batches).toEqual([[1], [3]])
})

test('fails only the input whose outcome is an error', async () => {
  const odd = new Error('odd')
  const { ask, nextRun, end } = createBatcher(undefined, n => (n % 2 ? odd : n))
  const run = nextRun()
  const answers = Promise.allSettled([1, 2, 4].map(ask))
  await run
  end()
  expect(await answers).toEqual([
    { status: 'rejected', reason: odd },
    { status: 'fulfilled', value: 2 },
    { status: 'fulfilled', value: 4 },
  ])
})

test('fails the batch whose run throws, and runs the next batch', async () => {
  const lost = new Error('lost')
  let runs = 0
  const ask = batched<number, number>(
    async inputs => {
      runs += 1
      if (runs === 1) throw lost
      return inputs
    },
    { size: 2, waiting: 10 },
  )
  expect(await Promise.allSettled([1, 2, 3].map(ask))).toEqual([
    { status: 'rejected', reason: lost },
    { status: 'rejected', reason: lost },
    { status: 'fulfilled', value: 3 },
  ])
  expect(await ask(4)).toBe(4)
})
