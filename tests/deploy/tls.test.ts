import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServerNode, type Settings } from '../support/node.ts'
import { relayedStage } from '../support/stage.ts'
import { selfSigned } from './certificate.ts'

const HOST = '127.0.0.1'

const stage = relayedStage()
let folder = ''
let tlsRelay: Server

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps-tls-'))
  const { key, certificate } = await selfSigned(folder, 'DNS:localhost')
  tlsRelay = createTlsRelay(stage.relay.port, { key: await readFile(key), cert: await readFile(certificate) })
  await once(tlsRelay.listen(0, HOST), 'listening')
})

afterAll(async () => {
  tlsRelay.close()
  await rm(folder, { recursive: true, force: true })
})

/** Returns settings for reaching the database over TLS at this host. */
function settings(host: string, options: string) {
  const { port } = tlsRelay.address() as AddressInfo
  const { DATABASE_URL, ...shared } = stage.postgres.settings({ host, port })
  return { ...shared, DATABASE_URL: `${DATABASE_URL}&${options}`, RATE_LIMITS: 'on' }
}

/** Returns the line that a node prints when its start fails. */
async function errorLine(invalid: Settings): Promise<string> {
  const node = ServerNode.launch(invalid)
  await node.exited
  expect(node.exitCode).toBe(1)
  expect(node.output).toMatch(/^[^\n]+\n$/)
  return node.sentences.join()
}

test('a start refuses a database with a self-signed certificate', async () => {
  expect(await errorLine(settings(HOST, 'sslmode=require'))).toMatch(
    /^The database cannot be used \(self-signed certificate.*\); add sslrootcert=.+ to DATABASE_URL$/,
  )
})

test('a start accepts a database whose certificate matches the host name and a trusted authority', async () => {
  const authority = `sslmode=verify-full&sslrootcert=${join(folder, 'certificate.pem')}`
  expect(await errorLine(settings(HOST, authority))).toMatch(/altnames/)
  const node = await ServerNode.start(settings('localhost', authority))
  await node.end('SIGTERM')
})

/** Creates a relay that accepts TLS like PostgreSQL. */
function createTlsRelay(port: number, identity: { key: Buffer; cert: Buffer }): Server {
  return createServer(near => {
    near.on('error', () => undefined)
    near.once('data', () => {
      near.write('S')
      const open = new TLSSocket(near, { isServer: true, ...identity })
      const far = connect(port, HOST)
      for (const [from, to] of [[open, far] as const, [far, open] as const]) {
        from.pipe(to)
        from.on('error', () => to.destroy())
      }
    })
  })
}
