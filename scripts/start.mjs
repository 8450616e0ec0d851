// `npm start` sets up what is missing or outdated, then runs the server in this process. `npm run build` sets
// up without running the server.

import './system.cjs'

const setup = import('./setup.mjs')
const settings = import('./settings.mjs')

async function main() {
  const { orExplain, setUp } = await setup
  await orExplain(setUp({ dev: false }))
  if (process.argv[2] === 'build') return
  const { loadSettings } = await settings
  await orExplain(Promise.resolve().then(() => loadSettings()))
  // Computes the address at run time, because the file does not exist before the build.
  await import(new URL('../dist/server/main.js', import.meta.url).href)
}

main()
