import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { childEnvironment } from '../support/child-environment.ts'
import { Client } from '../support/client.ts'
import { createTestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { MAIN, NO_DATA } from '../support/node.ts'
import { settingsFor } from '../support/shared-postgres.ts'
import { until } from '../support/until.ts'

const HOST = '127.0.0.1'
const READY_MS = 60_000
/** The time in which the server must stop. */
const STOP_MS = 10_000
const TORN_AT = 4_000
/** More lines than the buffers of a socket hold. */
const SOCKET_LINES = 700

/** Appends to a file of at most 8 KB, in blocks of 512 bytes. */
const TO_SMALL_FILE = 'ulimit -f 16; exec "$0" "$@" >>"$LOG_FILE"'
const TO_UNREAD_SOCKET = 'exec "$0" "$@"'

/** Starts a server with this standard output, and waits until it answers. */
async function startServer(script: string, log = '') {
  const { connection, drop } = await createTestDatabase()
  const port = await freePort(HOST)
  const settings = { PORT: `${port}`, HOST, LOG_FORMAT: 'json', RATE_LIMITS: 'off', LOG_FILE: log }
  const server = spawn('sh', ['-c', script, process.execPath, MAIN], {
    env: childEnvironment({ ...settings, DATA_DIR: NO_DATA, ...settingsFor(connection) }),
    // Nothing reads the pipe, which is a socket.
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(server, 'exit')
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await exited
    await drop()
  })
  const url = `http://${HOST}:${port}`
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until('the server to be ready', isReady, READY_MS)
  return { server, url }
}

/** Has the server log this many lines, and expects that it answers every call. */
async function logLines(url: string, count: number): Promise<void> {
  const client = new Client(url)
  for (let line = 0; line < count; line += 20) {
    const logins = Array.from({ length: 20 }, () => client.login('Unknown', 'correct horse battery'))
    for (const { status } of await Promise.all(logins)) expect(status).toBe(404)
  }
}

async function expectOrderlyStop(server: ChildProcess): Promise<void> {
  server.kill('SIGTERM')
  await until('the end of the server', () => server.exitCode !== null, STOP_MS)
  expect(server.exitCode).toBe(0)
}

test('plays on and stops in order when nothing reads the log', async () => {
  const { server, url } = await startServer(TO_UNREAD_SOCKET)
  await logLines(url, SOCKET_LINES)
  expect((await new Client(url).play(500)).status).toBe(201)
  await expectOrderlyStop(server)
})

test('plays on while the log cannot grow, and then ends the torn line and says how many were dropped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'taps-log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const log = join(folder, 'log')
  const { server, url } = await startServer(TO_SMALL_FILE, log)
  const lines = 100
  await logLines(url, lines)
  expect((await new Client(url).play(500)).status).toBe(201)
  const kept = (await readFile(log, 'utf8')).split('\n').length
  expect(kept).toBeLessThan(lines)
  // Makes room, and leaves a torn line.
  await truncate(log, TORN_AT)
  await logLines(url, 1)
  const added = (await readFile(log, 'utf8')).slice(TORN_AT)
  expect(added).toMatch(/^\n/)
  const [note, ...rest] = added
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(note).toMatchObject({ level: 40, msg: 'lines of the log were dropped', dropped: expect.any(Number) })
  expect(note.dropped).toBeGreaterThanOrEqual(lines - kept)
  expect(rest[0]).toMatchObject({ msg: 'unknown name' })
  await expectOrderlyStop(server)
})
