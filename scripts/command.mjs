// `npm run ledger` and its like: sets up what is missing, then becomes the operator's command of that name.

import { requireNode } from './node-version.mjs'

requireNode()

// The command finds its own parameters in the usual place.
const [name] = process.argv.splice(2, 1)

/** Not there to be looked at before it is built. */
const COMMAND = new URL(`../dist/server/${name}.js`, import.meta.url).href

import('./setup.mjs')
  .then(({ orExplain, setUp }) => orExplain(setUp({ dev: false })))
  .then(() => import(COMMAND))
