// The same server on the same database, but with a transaction for each attempt. No setting makes the product do so.

import pg from 'pg'
import { createApp } from '../../server/app.ts'
import { migrate } from '../../server/database/migrate.ts'
import { clientConfig } from '../../server/database/pool.ts'
import { readEnv } from '../../server/env.ts'
import { addRoutes } from '../../server/routes.ts'
import { openServices } from '../../server/services.ts'

const env = readEnv(process.env)
const connection = { connectionString: env.databaseUrl ?? '' }
const client = new pg.Client(clientConfig(connection))
await client.connect()
await migrate(client)
await client.end()

const app = createApp(env)
const services = await openServices(env, env.secret ?? '', connection, app.log, { batchSize: 1 })
await addRoutes(app, services)
await services.begin()
console.log(`One by one is ready at ${await app.listen({ port: env.port, host: env.host })}`)
process.on('SIGTERM', () => process.exit(0))
