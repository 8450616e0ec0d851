import { STOP_SIGNALS } from '../lib/signals.ts'
import { StartError } from '../lib/start-error.ts'

const SIGNALS = [...STOP_SIGNALS, 'SIGQUIT'] as const

/** Runs work with an AbortSignal that fires on stop signals. */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const interrupt = () => controller.abort(new StartError('Interrupted; unfinished changes were rolled back'))
  for (const name of SIGNALS) process.on(name, interrupt)
  try {
    return await work(controller.signal)
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt)
  }
}
