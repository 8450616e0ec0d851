import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transformWithOxc } from 'vite'

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
  const path = fileURLToPath(url)
  const { code, map } = await transformWithOxc(await readFile(path, 'utf8'), path)
  // Lets debuggers show the source.
  const data = Buffer.from(JSON.stringify(map)).toString('base64')
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${data}`
  return { format: 'module', source, shortCircuit: true }
}
