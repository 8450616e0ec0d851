import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A file in the forms in which it can be sent. */
export interface Content {
  readonly identity: Buffer
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
}

/** The smallest first. */
const ENCODINGS = ['br', 'gzip'] as const

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
}

/**
 * Answers with a file that is in memory, in the best form that is asked for, or with word that it has not changed.
 *
 * @param name whose end says what it is
 */
export function shown(name: string, content: Content, cacheControl: string) {
  const etag = `W/"${createHash('sha256').update(content.identity).digest('base64url')}"`
  // A shared cache would else hand the compressed form to whoever cannot read it.
  const headers = { 'cache-control': cacheControl, vary: 'accept-encoding', etag }
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  return ({ headers: asked }: FastifyRequest, reply: FastifyReply) => {
    reply.headers(headers)
    if (asked['if-none-match']?.split(/, */).includes(etag)) return reply.code(304).send()
    reply.type(type)
    const accepted = `${asked['accept-encoding'] ?? ''}`
    const encoding = ENCODINGS.find(name => content[name] && accepts(accepted, name))
    if (encoding === undefined) return reply.send(content.identity)
    return reply.header('content-encoding', encoding).send(content[encoding])
  }
}

/** True when Accept-Encoding names an encoding, and not only to rule it out. */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some(entry => {
    const [name, weight = ''] = entry.split(';', 2).map(part => part.trim())
    return name === encoding && !/^q=0(\.0*)?$/.test(weight)
  })
}
