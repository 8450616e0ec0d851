import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Other programs that the bench measures by, in exact versions: `package.json` names them. */
export const RIVALS = new URL('rivals/', import.meta.url)

/**
 * Installs the rivals. npm looks itself whether anything is missing. They come without a lock file, which would be
 * three times as long as the product's own; what they depend on may be newer than when a figure was measured.
 */
export async function installRivals(): Promise<void> {
  const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', ['install', ...options], { cwd: RIVALS })
}
