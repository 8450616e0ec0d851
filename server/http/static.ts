import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { ROOT } from '../lib/root.ts'
import { type Content, shown } from './static-file.ts'

/** What was built, with a slash at its end. */
const PAGE = fileURLToPath(new URL('dist/web/', ROOT))

/** Hashed files never change; a year is the longest that caches are asked for. */
const FOREVER = 'public, max-age=31536000, immutable'
const ANEW = 'no-cache'

const SHELL = 'index.html'
/** The forms that the build leaves beside a text. */
const COMPRESSED = /\.(br|gz)$/

/**
 * Serves the built page, 2 MB, from memory: hashed assets for good, the rest asked for anew each time. A file that is
 * open for every slow reader would soon be more than the system allows.
 *
 * @param publicUrl the game's origin, which links to its pictures need; null where it is not known
 */
export async function addPage(app: FastifyInstance, publicUrl: string | null): Promise<void> {
  const files = await readdir(PAGE, { recursive: true, withFileTypes: true }).catch(cause => {
    throw new Error('The page is not built; npm start builds it', { cause })
  })
  const html = await readFile(join(PAGE, SHELL), 'utf8')
  add('/', shell(publicUrl ? withOrigin(html, publicUrl) : html), ANEW)
  for (const { name, parentPath } of files.filter(file => file.isFile())) {
    if (COMPRESSED.test(name) || name === SHELL) continue
    const path = join(parentPath, name)
    const url = path.slice(PAGE.length).replaceAll('\\', '/')
    add(`/${url}`, await readContent(path), url.startsWith('assets/') ? FOREVER : ANEW)
  }

  function add(url: string, content: Content, cacheControl: string): void {
    app.get(url, { schema: { hide: true } }, shown(url === '/' ? SHELL : url, content, cacheControl))
  }
}

/** Who shows a card for a shared link reads only absolute addresses in the tags for it. */
function withOrigin(html: string, publicUrl: string): string {
  return html.replaceAll('content="/', `content="${publicUrl}/`)
}

function shell(html: string): Content {
  return { identity: Buffer.from(html), br: brotliCompressSync(html), gzip: gzipSync(html) }
}

async function readContent(path: string): Promise<Content> {
  const form = (extension: string) => readFile(path + extension).catch(() => undefined)
  return { identity: await readFile(path), br: await form('.br'), gzip: await form('.gz') }
}
