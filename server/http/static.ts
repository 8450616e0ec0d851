import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import negotiate from '@fastify/accept-negotiator'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { Env } from '../env.ts'
import { BUILT } from '../lib/root.ts'

/** The settings that the page shows. */
type PageSettings = Pick<Env, 'publicUrl' | 'aboutUrl'>

/** The built page. */
const FOLDER = fileURLToPath(new URL('web/', BUILT))

const SHELL = 'index.html'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** For files with a hash in their name, which never change; a year is the usual maximum. */
const FOREVER = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'

/** The compressed forms that the build writes beside a text. */
const COMPRESSED = /\.(br|gz)$/

/** The content of a file, and its compressed forms by content coding. */
interface Content {
  readonly identity: Buffer
  readonly br?: Buffer | undefined
  readonly gzip?: Buffer | undefined
}

/**
 * Serves the built page, 2 MB, from memory; hashed assets are cached for good, the rest is revalidated. @fastify/static
 * would hold a file open for every slow reader: docs/decisions/0003-libraries.md.
 *
 * @param settings the game's origin, for absolute links in the page's head, and the target of the About link
 */
export async function addPage(app: FastifyInstance, settings: PageSettings): Promise<void> {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true }).catch(cause => {
    throw new Error('The page is not built; npm start builds it', { cause })
  })
  for (const { name, parentPath } of entries.filter(entry => entry.isFile())) {
    if (COMPRESSED.test(name)) continue
    const path = join(parentPath, name)
    const url = `/${relative(FOLDER, path).replaceAll('\\', '/')}`
    const content = name === SHELL ? await readShell(path, settings) : await readContent(path)
    const cacheControl = url.startsWith('/assets/') ? FOREVER : REVALIDATE
    app.get(name === SHELL ? '/' : url, { schema: { hide: true } }, sender(name, content, cacheControl))
  }
}

/** Makes the addresses in the head absolute, as link previews need them, and adds `ABOUT_URL` as the meta tag "about". */
async function readShell(path: string, { publicUrl, aboutUrl }: PageSettings): Promise<Content> {
  const built = await readFile(path, 'utf8')
  const linked = publicUrl ? built.replaceAll('content="/', `content="${publicUrl}/`) : built
  // A normalised URL contains no quotes.
  const about = aboutUrl ? `<meta name="about" content="${aboutUrl.replaceAll('&', '&amp;')}">` : ''
  const html = linked.replace('</head>', () => `${about}</head>`)
  return { identity: Buffer.from(html), br: brotliCompressSync(html), gzip: gzipSync(html) }
}

async function readContent(path: string): Promise<Content> {
  const form = (extension: string) => readFile(path + extension).catch(() => undefined)
  return { identity: await readFile(path), br: await form('.br'), gzip: await form('.gz') }
}

/** Answers with a file in the best coding that the client accepts, or with 304. */
function sender(name: string, content: Content, cacheControl: string): RouteHandlerMethod {
  const etag = `W/"${createHash('sha256').update(content.identity).digest('base64url')}"`
  // Otherwise a shared cache would give the compressed form to a client that cannot read it.
  const headers = { 'cache-control': cacheControl, vary: 'accept-encoding', etag }
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  // The smallest first.
  const codings = (['br', 'gzip'] as const).filter(coding => content[coding])
  return ({ headers: asked }, reply) => {
    reply.headers(headers)
    if (asked['if-none-match']?.split(/, */).includes(etag)) return reply.code(304).send()
    reply.type(type)
    const coding = negotiate(`${asked['accept-encoding'] ?? ''}`, codings)
    if (coding === null) return reply.send(content.identity)
    return reply.header('content-encoding', coding).send(content[coding])
  }
}
