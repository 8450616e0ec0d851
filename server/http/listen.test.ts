import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer as createNetServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Counter } from 'prom-client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { CONNECTIONS } from '../../contract/limits.ts'
import { until } from '../../tests/support/until.ts'
import { openSocket } from '../../tests/support/wire.ts'
import { addressKey } from '../limits/address.ts'
import { ConcurrencyLimit } from '../limits/concurrency.ts'
import { Limiter } from '../limits/limiter.ts'
import { readEnv } from '../settings.mjs'
import { limitClients } from './client-limits.ts'
import { listen, urlOf } from './listen.ts'
import { createServer } from './server.ts'

/** The system's limit on unaccepted connections; 0 where the limit is unknown. */
const SYSTEM_BACKLOG = Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8').catch(() => 0))

async function isRefused(port: number): Promise<boolean> {
  const socket = await openSocket(urlOf(HOST, port)).catch(() => null)
  socket?.destroy()
  return socket === null
}

const HOST = '127.0.0.1'
const LOCALHOST = { host: 'localhost', port: 0, publicUrl: null }

/** Opens a server on localhost whose `/slow` answers when the test calls `answer`. */
async function open() {
  const app = createServer(readEnv({}), { write: () => undefined })
  const connectionLimit = new ConcurrencyLimit(CONNECTIONS.ofAddress)
  limitClients(app, {
    connectionLimit,
    env: { trustProxy: false },
    limits: new Limiter(),
    metrics: { refused: new Counter({ name: 'refused', help: 'unused', registers: [] }) },
  })
  let answer: () => void = () => undefined
  const requested = new Promise<void>(resolve => {
    app.get('/slow', async () => {
      resolve()
      await new Promise<void>(done => {
        answer = done
      })
      return { slow: true }
    })
  })
  await listen(app, LOCALHOST)
  const { port } = app.server.address() as AddressInfo
  return { app, close: () => app.close(), connectionLimit, port, requested, answer: () => answer() }
}

describe('on 127.0.0.1, the first address of localhost', () => {
  test('lets 700 connections wait to be accepted, where the system allows 4,096', async () => {
    if (SYSTEM_BACKLOG < 4_096) return
    const { app, port, close } = await open()
    const connected = vi.fn()
    const accepted = once(app.server, 'connection')
    const sockets = Array.from({ length: 700 }, () => connect({ host: HOST, port }, connected))
    await accepted
    await nextTurn()
    expect(connected).toHaveBeenCalledTimes(700)
    for (const socket of sockets) socket.destroy()
    await close()
  })

  test('refuses new connections while closing, and waits for the answer in progress', async () => {
    const { port, close, requested, answer } = await open()
    const socket = await openSocket(urlOf(HOST, port))
    socket.write('GET /slow HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    await requested
    let isAnswered = false
    const closed = close().then(() => expect(isAnswered).toBe(true))
    await until('the port to close', () => isRefused(port))
    isAnswered = true
    answer()
    expect(await text(socket)).toContain('{"slow":true}')
    await closed
  })

  test('waits at most 5 s, while closing, for an incomplete request', async () => {
    const { app, close, port } = await open()
    const accepted = once(app.server, 'connection') as Promise<[Socket]>
    const socket = await openSocket(urlOf(HOST, port))
    socket.write('G')
    const [kept] = await accepted
    await until('the first byte', () => kept.bytesRead > 0)
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const closed = close()
    await until('the port to close', () => isRefused(port))
    expect(kept.destroyed).toBe(false)
    vi.advanceTimersByTime(5_000)
    expect(kept.destroyed).toBe(true)
    await closed
  })
})

const HAS_IPV6 = Object.values(networkInterfaces()).some(each =>
  each?.some(({ address }) => address === '::1'),
)

test.runIf(HAS_IPV6)('answers at ::1 too, where the same limits apply, until it closes', async () => {
  const { port, close, connectionLimit } = await open()
  const url = urlOf('::1', port)
  const ask = async (bytes: string) => {
    const socket = await openSocket(url)
    socket.write(bytes)
    return text(socket).catch(() => '')
  }
  const request = 'GET /nowhere HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
  expect(await ask(request)).toMatch(/^HTTP\/1.1 404 /)
  expect(await ask('hello\r\n\r\n')).toContain('x-content-type-options: nosniff')
  for (let n = 0; n < CONNECTIONS.ofAddress; n += 1) connectionLimit.acquire(addressKey('::1'))
  expect(await ask(request)).toBe('')
  await close()
  await expect(openSocket(url)).rejects.toThrow('ECONNREFUSED')
})

test('names the port when another program uses it', async () => {
  const other = createNetServer().listen(0, HOST)
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const app = createServer(readEnv({}), { write: () => undefined })
  const start = listen(app, { ...LOCALHOST, port })
  await expect(start).rejects.toThrow(`Port ${port} is taken; set PORT to a free one`)
  await app.close()
  other.close()
})
