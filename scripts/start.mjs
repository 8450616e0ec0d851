// `npm start` sets up what is missing, then becomes the server. `npm run build` only sets up. `npm run ledger` and its
// like become the program of that name as it was built last, and change nothing: a server may be running from here.

import './system.mjs'

// The program finds its own parameters in the usual place.
const [program] = process.argv.splice(2, 1)

const setup = import('./setup.mjs')

async function start() {
  const { orExplain, setUp, goToBuild } = await setup
  const isCommand = program === 'commands'
  await orExplain(isCommand ? goToBuild() : setUp({ dev: false }))
  // Not there to be looked at before it is built.
  if (program !== 'build') await import(new URL(`../dist/server/${program}.js`, import.meta.url).href)
}

start()
