// `npm start`: sets up what is missing, then becomes the server.

import { requireNode } from './node-version.mjs'

requireNode()

/** Not there to be looked at before it is built. */
const SERVER = new URL('../dist/server/main.js', import.meta.url).href

import('./setup.mjs')
  .then(({ orExplain, setUp }) => orExplain(setUp({ dev: false })))
  .then(() => import(SERVER))
