import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const YEAR_MS = 365 * 86_400_000

/** Serves the built page: hashed assets for good, the shell asked for anew each time. */
export async function addPage(app: FastifyInstance): Promise<void> {
  const root = pageFolder()
  if (!existsSync(root)) throw new Error('The page is not built; npm start builds it')
  await app.register(files, {
    root,
    preCompressed: true,
    wildcard: false,
    cacheControl: false,
    setHeaders(reply, path) {
      const forever = path.includes('/assets/')
      reply.setHeader('cache-control', forever ? `public, max-age=${YEAR_MS / 1_000}, immutable` : 'no-cache')
    },
  })
}

/** dist/web, seen from the sources and from dist/server. */
function pageFolder(): string {
  const levels = import.meta.url.endsWith('.ts') ? '../dist/web' : '../web'
  return fileURLToPath(new URL(levels, import.meta.url))
}
