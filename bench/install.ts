import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Installs what a part of the bench needs beyond the product, from the lock file in its folder. npm looks itself
 * whether anything is missing.
 */
export async function install(folder: string): Promise<void> {
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', options, { cwd: folder })
}
