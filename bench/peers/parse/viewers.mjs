// VIEWERS who subscribe to all attempts by LiveQuery, which sends them each one.

import Parse from 'parse/node'

const { ORIGIN = '', VIEWERS = '' } = process.env
const APP_ID = 'taps'

Parse.initialize(APP_ID)
Parse.serverURL = `${ORIGIN}/parse`

async function watch() {
  const client = new Parse.LiveQueryClient({ applicationId: APP_ID, serverURL: ORIGIN.replace('http', 'ws') })
  client.open()
  const subscription = client.subscribe(new Parse.Query('Attempt'))
  await subscription.subscribePromise
}

await Promise.all(Array.from({ length: Number(VIEWERS) }, watch))
console.log(`All of it is ready at ${ORIGIN}`)
process.on('SIGTERM', () => process.exit(0))
