// VIEWERS who are told of every change and read the recent attempts again each time, at most ten times a second.

import { Agent, get } from 'node:http'
import { io } from 'socket.io-client'

const { ORIGIN = '', VIEWERS = '' } = process.env
/** The specification's limit: ten events a second. */
const MIN_MS = 100
const RECENT = '/attempts?$sort[created_at]=-1&$limit=5'

const agent = new Agent({ keepAlive: true })

/** @returns {Promise<void>} */
function read() {
  return new Promise((resolve, reject) => {
    get(ORIGIN + RECENT, { agent }, answer => {
      answer.resume().on('end', resolve)
    }).on('error', reject)
  })
}

/** @returns {Promise<void>} */
function watch() {
  let changed = false
  let resting = false
  const look = async () => {
    changed = true
    if (resting) return
    resting = true
    changed = false
    await read()
    setTimeout(() => {
      resting = false
      if (changed) look()
    }, MIN_MS)
  }
  const socket = io(ORIGIN, { transports: ['websocket'], forceNew: true })
  socket.on('attempts created', look)
  return new Promise(resolve => socket.once('connect', () => resolve()))
}

await Promise.all(Array.from({ length: Number(VIEWERS) }, watch))
console.log(`All of it is ready at ${ORIGIN}`)
process.on('SIGTERM', () => process.exit(0))
