import { StartError } from '../lib/start-error.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Does something that undoes what it began when it is interrupted: SIGINT and SIGTERM abort its signal, and do not end
 * the process.
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
