import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Connection } from '../../server/database/connection.ts'
import { childEnvironment } from './child-environment.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The timeout of a command, long enough for an embedded database to start on a busy machine. */
const TIMEOUT_MS = 60_000

export interface Outcome {
  readonly code: number | string | null | undefined
  readonly stdout: string
  readonly stderr: string
}

/** Runs a built command in its own process, with only these settings. */
export function runBuilt(
  name: string,
  parameters: readonly string[],
  settings: Record<string, string>,
): Promise<Outcome> {
  const program = `${ROOT}/dist/server/commands.js`
  const env = childEnvironment(settings)
  const options = { cwd: ROOT, timeout: TIMEOUT_MS, env }
  return new Promise(resolve => {
    execFile(process.execPath, [program, name, ...parameters], options, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr })
    })
  })
}

/** Formats a connection as a DATABASE_URL, with the host or socket folder as a parameter. */
export function toUrl({ host = '', port, user = '', password, database }: Connection): string {
  const url = new URL(`postgres://localhost/${database}`)
  url.username = user
  url.password = typeof password === 'string' ? password : ''
  url.searchParams.set('host', host)
  url.searchParams.set('port', String(port))
  return url.href
}
