import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Other programs that the bench measures with, in exact versions. */
export const RIVALS = new URL('rivals/', import.meta.url)

/**
 * Installs these programs; npm itself sees whether anything is missing. There is no lock file, which would be three times as
 * long as the product's own, so their dependencies may be newer than when a figure was measured.
 */
export async function installRivals(): Promise<void> {
  const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', ['install', ...options], { cwd: RIVALS })
}
