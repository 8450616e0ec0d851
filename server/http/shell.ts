import { readFile } from 'node:fs/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Env } from '../env.ts'
import type { Forms } from './static.ts'

export type PageSettings = Pick<Env, 'publicUrl' | 'aboutUrl'>

/** Makes the addresses in the page's head absolute for link previews, and adds the meta tag "about". */
export async function readShell(path: string, { publicUrl, aboutUrl }: PageSettings): Promise<Forms> {
  const built = await readFile(path, 'utf8')
  const linked = publicUrl ? built.replaceAll('content="/', `content="${publicUrl}/`) : built
  // A normalised URL contains no quotes.
  const about = aboutUrl ? `<meta name="about" content="${aboutUrl.replaceAll('&', '&amp;')}">` : ''
  const html = linked.replace('</head>', () => `${about}</head>`)
  return { br: brotliCompressSync(html), gzip: gzipSync(html), identity: Buffer.from(html) }
}
