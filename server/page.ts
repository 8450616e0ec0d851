import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Hashed files never change; a year is the longest that caches are asked for. */
const FOREVER = 'public, max-age=31536000, immutable'

/**
 * Serves the built page: hashed assets for good, the shell asked for anew each time.
 *
 * @param publicUrl the game's origin, which links to its pictures need; null where it is not known
 */
export async function addPage(app: FastifyInstance, publicUrl: string | null): Promise<void> {
  const root = pageFolder()
  if (!existsSync(root)) throw new Error('The page is not built; npm start builds it')
  const html = await readFile(join(root, 'index.html'), 'utf8')
  app.get('/', { schema: { hide: true } }, shellHandler(publicUrl ? withOrigin(html, publicUrl) : html))
  await app.register(files, {
    root,
    preCompressed: true,
    wildcard: false,
    index: false,
    globIgnore: ['index.html*'],
    cacheControl: false,
    setHeaders(reply, path) {
      reply.setHeader('cache-control', path.includes('/assets/') ? FOREVER : 'no-cache')
      // A shared cache would hand the compressed form to whoever cannot read it.
      reply.setHeader('vary', 'accept-encoding')
    },
  })
}

/** Who shows a card for a shared link reads only absolute addresses in the tags for it. */
function withOrigin(html: string, publicUrl: string): string {
  return html.replaceAll('content="/', `content="${publicUrl}/`)
}

/** Answers with the shell, compressed once for all. */
function shellHandler(html: string) {
  const etag = `W/"${createHash('sha256').update(html).digest('base64url')}"`
  const forms = { br: brotliCompressSync(html), gzip: gzipSync(html) }
  return (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    reply.type('text/html; charset=utf-8')
    const accepted = String(request.headers['accept-encoding'] ?? '')
    const encoding = (['br', 'gzip'] as const).find(name => accepted.includes(name))
    if (encoding === undefined) return reply.send(html)
    return reply.header('content-encoding', encoding).send(forms[encoding])
  }
}

/** dist/web, seen from the sources and from dist/server. */
function pageFolder(): string {
  const levels = import.meta.url.endsWith('.ts') ? '../dist/web' : '../web'
  return fileURLToPath(new URL(levels, import.meta.url))
}
