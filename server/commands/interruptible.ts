import { StartError } from '../lib/start-error.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs work that can be interrupted: SIGINT and SIGTERM abort its signal, instead of ending the process, so that it can
 * undo what it began.
 *
 * @throws whatever `work` throws
 */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const interrupt = () => controller.abort(new StartError('Interrupted: what was under way is undone'))
  for (const name of SIGNALS) process.on(name, interrupt)
  try {
    return await work(controller.signal)
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt)
  }
}
