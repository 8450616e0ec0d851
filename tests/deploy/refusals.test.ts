import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareDatabase } from '../../server/database/prepare.ts'
import { contents } from '../support/backups.ts'
import { withClient } from '../support/connect.ts'
import { ServerNode, type Settings } from '../support/node.ts'
import { SHARED_SECRET } from '../support/shared-postgres.ts'
import { relayedStage } from '../support/stage.ts'
import { programPath } from './programs.ts'

const OPENSSL = programPath('openssl')
const HOST = '127.0.0.1'

const stage = relayedStage()

/** By way of a port. */
function settings(port = stage.relay.port, options = '') {
  const { DATABASE_URL } = stage.postgres.settings({ host: HOST, port })
  return { DATABASE_URL: `${DATABASE_URL}${options}`, SECRET: SHARED_SECRET, RATE_LIMITS: 'on' }
}

/** All that a node says that does not start, which is one line. */
async function complaint(wrong: Settings): Promise<string> {
  const node = ServerNode.launch(wrong)
  await node.exited
  expect(node.exitCode).toBe(1)
  expect(node.output).toMatch(/^[^\n]+\n$/)
  return node.sentences.join()
}

function sql(text: string): Promise<unknown> {
  return withClient(stage.postgres.connection, client => client.query(text))
}

/** The unit tests have each of them by itself; here the program says it, and stops. */
const MISTAKES: readonly [string, () => Settings, RegExp][] = [
  [
    'a wrong password',
    () => ({ ...settings(), DATABASE_URL: settings().DATABASE_URL.replace(/:[^:@]+@/, ':wrong@') }),
    /password authentication failed for user "taps".*; check DATABASE_URL$/,
  ],
  ['TLS where there is none', () => settings(stage.relay.port, '?sslmode=require'), /switch TLS on there/],
]

test.each(MISTAKES)('%s stops the start with one line that says what to do', async (_, wrong, line) => {
  expect(await complaint(wrong())).toMatch(line)
  expect(await contents(stage.postgres.connection)).toEqual([])
})

test('a game of a newer release and one with another SECRET are left as they are', async () => {
  await withClient(stage.postgres.connection, client => prepareDatabase(client, SHARED_SECRET))
  const other = { ...settings(), SECRET: 'another secret that is long enough, too' }
  expect(await complaint(other)).toMatch(/^SECRET is not the one that this game was made with: set it to/)
  await sql('update migrations set release = release + 1')
  expect(await complaint(settings())).toMatch(/^This game is of release \d+ and this is \d+: use the newer/)
  await sql('update migrations set release = release - 1')
  const node = await ServerNode.start(settings())
  await node.end('SIGTERM')
})

describe('a database with TLS', () => {
  let folder = ''
  let port = 0
  let front: Server

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'taps-tls-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=taps test']
    const names = ['-addext', 'subjectAltName=DNS:localhost']
    await promisify(execFile)(OPENSSL, ['req', ...options, ...names, '-keyout', key, '-out', cert])
    front = tlsInFrontOf(stage.relay.port, { key: await readFile(key), cert: await readFile(cert) })
    port = await new Promise<number>(resolve => {
      front.listen(0, HOST, () => {
        const address = front.address()
        resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
      })
    })
  })

  afterAll(async () => {
    front.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('whose certificate nobody vouches for is refused', async () => {
    const line = await complaint(settings(port, '?sslmode=require'))
    // Newer versions of Node add advice of their own.
    expect(line).toMatch(/^The database refused us \(self-signed certificate.*\): name the certificate/)
  })

  test('is taken by the name and the authority of its certificate', async () => {
    const rootcert = `?sslmode=verify-full&sslrootcert=${join(folder, 'cert.pem')}`
    expect(await complaint(settings(port, rootcert))).toMatch(/altnames/)
    const named = settings(port, rootcert)
    const url = named.DATABASE_URL.replace(HOST, 'localhost')
    const node = await ServerNode.start({ ...named, DATABASE_URL: url })
    await node.end('SIGTERM')
  })
})

/** A PostgreSQL with TLS, as far as can be seen from outside: it says yes to whoever asks for it, and decrypts. */
function tlsInFrontOf(port: number, identity: { key: Buffer; cert: Buffer }): Server {
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
