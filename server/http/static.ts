import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import negotiate from '@fastify/accept-negotiator'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { BUILT } from '../lib/project.ts'
import type { Env } from '../settings.mjs'
import { networkUrls } from './listen.ts'
import { notFoundHandler } from './not-found.ts'
import { isLocal } from './proxies.ts'

type PageSettings = Pick<Env, 'host' | 'publicUrl' | 'aboutUrl'>

/**
 * Makes the addresses in the page's head absolute for link previews, and adds the meta tags "about" and "join",
 * the address that the board shows.
 */
async function readShell(path: string, { publicUrl, aboutUrl }: PageSettings): Promise<Forms> {
  const built = await readFile(path, 'utf8')
  const linked = publicUrl ? built.replaceAll('content="/', `content="${publicUrl}/`) : built
  const html = addMeta(addMeta(linked, 'about', aboutUrl), 'join', publicUrl)
  return { br: brotliCompressSync(html), gzip: gzipSync(html), identity: Buffer.from(html) }
}

/** @param url - A normalised URL, which contains no quotes. */
function addMeta(html: string, name: string, url: string | null): string {
  if (url === null) return html
  const meta = `<meta name="${name}" content="${url.replaceAll('&', '&amp;')}">`
  return html.replace('</head>', () => `${meta}</head>`)
}

const FOLDER = fileURLToPath(new URL('web/', BUILT))

const HTML = 'text/html; charset=utf-8'

/** The types of served files. Compressed forms (.br, .gz) have no URL of their own. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': HTML,
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
}

interface Forms {
  readonly br?: Buffer | undefined
  readonly gzip?: Buffer | undefined
  readonly identity: Buffer
}

/** Serves the built page from memory, since @fastify/static would hold a file open for every slow reader. */
export async function addPage(app: FastifyInstance, settings: PageSettings): Promise<void> {
  for (const name of await readdir(FOLDER, { recursive: true })) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const path = join(FOLDER, name)
    const isShell = name === 'index.html'
    const forms = isShell ? await readShell(path, settings) : await readForms(path)
    const send = sender(type, forms, cacheControlOf(name))
    for (const url of urlsOf(name)) {
      app.get(url, { schema: { hide: true } }, isShell ? joinable(send, settings, forms) : send)
    }
    if (isShell) app.setNotFoundHandler(notFoundHandler(forms.identity.toString()))
  }
}

/** Assets never change, because their names contain a hash. `start.js` must never come from another release. */
function cacheControlOf(name: string): string {
  if (name === 'start.js') return 'no-store'
  return name.startsWith('assets') ? 'public, max-age=31536000, immutable' : 'no-cache'
}

/** Returns the URLs of a file; a folder's page has the folder's name, with and without a slash at its end. */
function urlsOf(name: string): string[] {
  const url = `/${name.replaceAll('\\', '/')}`
  if (!url.endsWith('/index.html')) return [url]
  const folder = url.replace(/index\.html$/, '')
  return folder === '/' ? ['/'] : [folder, folder.slice(0, -1)]
}

async function readForms(path: string): Promise<Forms> {
  const form = (extension: string) => readFile(path + extension).catch(() => undefined)
  return { br: await form('.br'), gzip: await form('.gz'), identity: await readFile(path) }
}

/** Adds this machine's address in the network to a page that was opened here, where `localhost` helps no phone. */
function joinable(
  send: RouteHandlerMethod,
  { host, publicUrl }: PageSettings,
  { identity }: Forms,
): RouteHandlerMethod {
  if (publicUrl !== null) return send
  return async function answer(request, reply) {
    const [url] = isLocal(request) ? await networkUrls(host, request.socket.localPort ?? 0) : []
    if (url === undefined) return send.call(this, request, reply)
    const html = Buffer.from(addMeta(identity.toString(), 'join', url))
    return sender(HTML, { identity: html }, 'no-cache').call(this, request, reply)
  }
}

function sender(type: string, forms: Forms, cacheControl: string): RouteHandlerMethod {
  const etag = `W/"${createHash('sha256').update(forms.identity).digest('base64url')}"`
  // Keeps shared caches from giving the compressed form to a client that cannot read it.
  const headers = { 'cache-control': cacheControl, vary: 'accept-encoding', etag }
  const codings = (['br', 'gzip'] as const).filter(coding => forms[coding])
  return ({ headers: asked }, reply) => {
    reply.headers(headers)
    if (asked['if-none-match']?.split(/, */).includes(etag)) return reply.code(304).send()
    const coding = negotiate(`${asked['accept-encoding'] ?? ''}`, codings)
    if (coding !== null) reply.header('content-encoding', coding)
    return reply.type(type).send(forms[coding ?? 'identity'])
  }
}
