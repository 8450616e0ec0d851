import { readFile } from 'node:fs/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Env } from '../settings.mjs'
import type { Forms } from './static.ts'

export type PageSettings = Pick<Env, 'host' | 'publicUrl' | 'aboutUrl'>

/**
 * Makes the addresses in the page's head absolute for link previews, and adds the meta tags "about" and "join",
 * the address that the board shows.
 */
export async function readShell(path: string, { publicUrl, aboutUrl }: PageSettings): Promise<Forms> {
  const built = await readFile(path, 'utf8')
  const linked = publicUrl ? built.replaceAll('content="/', `content="${publicUrl}/`) : built
  const html = addMeta(addMeta(linked, 'about', aboutUrl), 'join', publicUrl)
  return { br: brotliCompressSync(html), gzip: gzipSync(html), identity: Buffer.from(html) }
}

/** @param url - A normalised URL, which contains no quotes. */
export function addMeta(html: string, name: string, url: string | null): string {
  if (url === null) return html
  const meta = `<meta name="${name}" content="${url.replaceAll('&', '&amp;')}">`
  return html.replace('</head>', () => `${meta}</head>`)
}
