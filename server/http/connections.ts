import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { CONCURRENCY } from '../../contract/limits.ts'
import type { Env } from '../env.ts'
import { addressKey } from '../limits/address.ts'
import { ConcurrencyLimit } from '../limits/concurrency.ts'
import { membership } from '../limits/networks.ts'

/** Of the files that this process may have open, those for the database, the log and the page of the contract. */
const SPARE_FILES = 200
const SPARE_SHARE = 1 / 8

/**
 * Closes connections beyond what there is room for, without a word: an answer would cost what the limit saves. One of
 * our own proxies may have as many as there is room for in all.
 */
export function boundConnections(server: Server, { rateLimits, trustProxy }: Env): void {
  const files = mostFiles()
  const spare = Math.max(SPARE_FILES, Math.ceil(files * SPARE_SHARE))
  const ofAll = Math.min(CONCURRENCY.connections.ofAll, files - spare)
  const ofAddress = Math.min(CONCURRENCY.connections.ofAddress, Math.ceil(ofAll / 2))
  const room = new ConcurrencyLimit(rateLimits, { ofAddress, ofAll })
  const isProxy = membership(trustProxy || [])
  server.maxConnections = ofAll
  server.on('connection', socket => {
    const { remoteAddress = '' } = socket
    if (isProxy(remoteAddress)) return
    const leave = room.enter(addressKey(remoteAddress))
    if (leave) socket.once('close', leave)
    else socket.destroy()
  })
}

/** Where the system says "unlimited", or nothing. */
const UNLIMITED_FILES = 1_000_000

/** How many files this process may have open; Node has raised that as far as the system lets it. */
function mostFiles(): number {
  const { userLimits }: { userLimits?: { open_files?: { soft?: number | string } } } =
    process.report.getReport()
  const soft = Number(userLimits?.open_files?.soft)
  return Number.isInteger(soft) ? soft : UNLIMITED_FILES
}

/**
 * Lets a server close as soon as its last answer is out. Node itself would wait for connections that were opened
 * in advance, as browsers do, and for those whose answer was under way, which it would keep for later.
 */
export function letGoOnClose(app: FastifyInstance): void {
  const open = new Set<Socket>()
  let closing = false

  app.server.on('connection', socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    closing = true
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  })
  app.addHook('onSend', (_, reply, __, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
}
