// `npm start` sets up what is missing or outdated, then runs the server in this process. `npm run build` sets
// up without running the server. Both run system.cjs first.

import { loadSettings } from './settings.mjs'
import { orExplain, setUp } from './setup.mjs'

await orExplain(setUp({ dev: false }))
if (process.argv[2] !== 'build') {
  await orExplain(Promise.resolve().then(() => loadSettings()))
  // Computes the address at run time, because the file does not exist before the build.
  await import(new URL('../dist/server/main.js', import.meta.url).href)
}
