// The specification's own design: the page INSERTs its attempts through a generic REST layer, one statement each, and
// everybody is told of every change and reads again. Feathers is such a layer, with its own way of telling.

import { once } from 'node:events'
import { feathers } from '@feathersjs/feathers'
import { KnexService } from '@feathersjs/knex'
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa'
import socketio from '@feathersjs/socketio'
import knex from 'knex'

/** As many connections as a node of TAPS has. */
const CONNECTIONS = 10
const KEEP_ALIVE_MS = 75_000

const { DATABASE_URL = '' } = process.env

const database = knex({
  client: 'pg',
  connection: { connectionString: DATABASE_URL },
  pool: { min: CONNECTIONS, max: CONNECTIONS },
})
await database.schema.createTable('users', table => {
  table.bigIncrements('id')
  table.text('username').notNullable().unique()
  table.text('password_hash').notNullable()
  table.bigInteger('taps_balance').notNullable().defaultTo(0).index()
})
await database.schema.createTable('attempts', table => {
  table.bigIncrements('id')
  table.text('username').notNullable()
  table.decimal('target_time', 3, 2).notNullable()
  table.decimal('actual_time', 6, 3).notNullable()
  table.decimal('difference', 6, 3).notNullable()
  table.integer('taps_added').notNullable()
  table.boolean('claimed').notNullable()
  table.timestamp('created_at').notNullable().defaultTo(database.fn.now()).index()
})

const app = koa(feathers())
app.use(errorHandler())
app.use(bodyParser())
app.configure(rest())
app.configure(socketio({ transports: ['websocket'], serveClient: false }))
// Without pages, so that no read counts all rows.
app.use('attempts', new KnexService({ Model: database, name: 'attempts' }))
app.use('users', new KnexService({ Model: database, name: 'users' }))
app.on('connection', connection => app.channel('everybody').join(connection))
app.publish(() => app.channel('everybody'))

const server = await app.listen(0, '127.0.0.1')
if (!server.listening) await once(server, 'listening')
server.keepAliveTimeout = KEEP_ALIVE_MS
console.log(`Feathers is ready at http://127.0.0.1:${server.address().port}`)
process.on('SIGTERM', () => process.exit(0))
