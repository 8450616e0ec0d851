import { STOP_SIGNALS } from '../lib/signals.ts'
import { StartError } from '../lib/start-error.ts'

/** Runs work that can be interrupted: a stop signal aborts it, so that it can undo what it began. */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const interrupt = () => controller.abort(new StartError('Interrupted: what was under way is undone'))
  for (const name of STOP_SIGNALS) process.on(name, interrupt)
  try {
    return await work(controller.signal)
  } finally {
    for (const name of STOP_SIGNALS) process.off(name, interrupt)
  }
}
