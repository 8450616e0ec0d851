// The specification's own design on Parse Server: the page saves its attempts through its REST API, one statement
// each; who subscribes by LiveQuery is told of every one.

import { createServer } from 'node:http'
import express from 'express'

// It reads this while it loads, and would write a log into the current folder otherwise.
process.env.PARSE_SERVER_LOGS_FOLDER = 'null'
const { ParseServer } = await import('parse-server')

const APP_ID = 'taps'
/** As many connections as a node of TAPS has. */
const CONNECTIONS = 10

const KEEP_ALIVE_MS = 75_000

const { DATABASE_URL = '' } = process.env
// It reads the address by itself, wants a host in it, and knows nothing of sockets.
const address = new URL(DATABASE_URL.replace('@/', '@localhost/'))

const http = createServer()
http.keepAliveTimeout = KEEP_ALIVE_MS
await new Promise(resolve => http.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${http.address().port}`

const parse = new ParseServer({
  databaseURI: address.href,
  databaseOptions: { host: address.searchParams.get('host'), max: CONNECTIONS },
  appId: APP_ID,
  masterKey: 'a key that only this bench knows',
  maintenanceKey: 'another key that only this bench knows',
  serverURL: `${url}/parse`,
  allowClientClassCreation: false,
  liveQuery: { classNames: ['Attempt'] },
  verbose: false,
  silent: true,
  schema: {
    definitions: [
      {
        className: 'Attempt',
        fields: {
          username: { type: 'String', required: true },
          target_time: { type: 'Number', required: true },
          actual_time: { type: 'Number', required: true },
          difference: { type: 'Number', required: true },
          taps_added: { type: 'Number', required: true },
          claimed: { type: 'Boolean', required: true },
        },
        classLevelPermissions: {
          create: { '*': true },
          find: { '*': true },
          get: { '*': true },
          count: {},
          update: {},
          delete: {},
          addField: {},
        },
      },
    ],
    lockSchemas: true,
  },
})
await parse.start()
const app = express()
app.use('/parse', parse.app)
http.on('request', app)
await ParseServer.createLiveQueryServer(http)
console.log(`Parse Server is ready at ${url}`)
process.on('SIGTERM', () => process.exit(0))
