// `npm start`, `npm run ledger` and their like: sets up what is missing, then becomes the program of that name.

import { requireNode } from './node-version.mjs'

requireNode()

// The program finds its own parameters in the usual place.
const [program] = process.argv.splice(2, 1)

/** Not there to be looked at before it is built. */
const PROGRAM = new URL(`../dist/server/${program}.js`, import.meta.url).href

import('./setup.mjs')
  .then(({ orExplain, setUp }) => orExplain(setUp({ dev: false })))
  .then(() => import(PROGRAM))
