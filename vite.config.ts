import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { RULE, TOLERANCE } from './web/messages.ts'

const { PORT = '' } = process.env

/** The server's address. `npm run dev` loads the settings file into the environment. */
const API = `http://localhost:${PORT || 3000}`

/** The oldest browsers that README.md promises. The build gives those without `light-dark()` a fallback. */
const BROWSERS = ['chrome117', 'edge117', 'firefox121', 'safari16.4', 'ios16.4']

const TEXT = /\.(?:js|css|html|svg|webmanifest)$/
const FONT = /space-grotesk-latin-wght-normal-[\w-]+\.woff2$/

/** Brotli's best quality takes 5 s for a file of 1.7 MB, quality 9 only 0.2 s. */
const LARGE_BYTES = 1_000_000
const BEST = 11
const FAST = 9

/** Compresses each text file with brotli and gzip during the build, instead of on each request. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async closeBundle() {
      const { root, build } = this.environment.config
      const folder = resolve(root, build.outDir)
      const names = await readdir(folder, { recursive: true })
      await Promise.all(names.filter(name => TEXT.test(name)).map(name => compress(join(folder, name))))
    },
  }
}

async function compress(path: string): Promise<void> {
  const text = await readFile(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: text.length < LARGE_BYTES ? BEST : FAST }
  await Promise.all([
    writeFile(`${path}.br`, await promisify(brotliCompress)(text, { params })),
    writeFile(`${path}.gz`, await promisify(gzip)(text, { level: 9 })),
  ])
}

/** Adds Swagger UI, which `web/public/api/docs/index.html` loads. */
function addApiViewer(): Plugin {
  return {
    name: 'add-api-viewer',
    apply: 'build',
    async generateBundle() {
      for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
        const source = await readFile(resolve('node_modules/swagger-ui-dist', name))
        this.emitFile({ type: 'asset', fileName: `api/docs/${name}`, source })
      }
    },
  }
}

/** Writes the rules of the game into index.html, which the browser shows before any script runs. */
function fillRules(): Plugin {
  return {
    name: 'fill-rules',
    transformIndexHtml: {
      order: 'pre',
      handler: html => html.replaceAll('%RULE%', RULE).replaceAll('%TOLERANCE%', TOLERANCE),
    },
  }
}

/**
 * Shows the text of index.html before the game renders, by preloading the font and delaying the script.
 * Lighthouse measures the first paint.
 */
function paintFirst(): Plugin {
  return {
    name: 'paint-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => ({
        html: html.replace('<script type="module"', '$& fetchpriority="low"'),
        tags: Object.keys(bundle ?? {})
          .filter(name => FONT.test(name))
          .map(name => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
            injectTo: 'head',
          })),
      }),
    },
  }
}

export default defineConfig({
  root: 'web',
  // Replaces the names of `web/layouts.css` by their conditions. The build adds the fallbacks for `BROWSERS`.
  css: { transformer: 'lightningcss', lightningcss: { drafts: { customMedia: true }, targets: {} } },
  plugins: [react(), fillRules(), paintFirst(), addApiViewer(), precompress()],
  build: {
    outDir: '../dist/web',
    target: BROWSERS,
    emptyOutDir: true,
    // The content security policy allows no data: URLs for code or fonts.
    assetsInlineLimit: 0,
    // Every supported browser preloads modules without the polyfill.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': API } },
})
