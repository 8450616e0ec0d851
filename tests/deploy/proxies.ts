import { rm } from 'node:fs/promises'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { type Answer, Client, type ClientRequest } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { ServerNode } from '../support/node.ts'
import { newDataDir, SharedPostgres } from '../support/shared-postgres.ts'
import { report } from '../support/size.ts'
import { Viewer } from '../support/viewer.ts'
import { programPath } from './programs.ts'
import { ask, type Place, type RunningProxy, runProxy } from './proxy.ts'

const PASSWORD = 'correct horse battery'
const STREAM_TIMEOUT_MS = 5_000
/** Who plays while nodes are restarted. */
const PLAYERS = 8
/** Until a proxy sends calls to a node that is back. */
const RETURN_TIMEOUT_MS = 60_000
/** What nginx and HAProxy let through of one address. */
const CONNECTIONS = 320
const BEYOND = 20
/** Before a proxy waits no longer for the rest of a request. */
const REFUSED_TIMEOUT_MS = 10_000
/** A request of which the proxy waits for more. */
const UNFINISHED =
  'POST /api/logout HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n'

let dataDir = ''
let node: ServerNode

beforeAll(async () => {
  // `fetch` takes no certificate of ours; `ask` needs none.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  dataDir = await newDataDir()
  node = await ServerNode.start({ DATA_DIR: dataDir, TRUST_PROXY: 'loopback', RATE_LIMITS: 'on' })
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await node.end('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

/** How many requests the game believed, and did not believe, to have come through a proxy. */
async function believed(): Promise<string[]> {
  const figures = await (await fetch(`${node.url}/metrics`)).text()
  return ['yes', 'no'].map(
    word => new RegExp(`forwarded_requests_total\\{believed="${word}"\\} (\\d+)`).exec(figures)?.[1] ?? '',
  )
}

/** A proxy, and how it is run with a file of `deploy/`. */
interface ProxyUnderTest {
  readonly name: string
  /** Gives it visitors of its own. */
  readonly index: number
  /** What it is to run, and what this machine has instead of what the file names: ports, a certificate, a name. */
  readonly prepare: (program: string, place: Place) => Promise<string[]>
  /** Whether it limits how many connections one visitor may have. */
  readonly boundsConnections: boolean
  /** Whether a POST that was under way on a node that ends goes to another one. */
  readonly passesPosts: boolean
}

/** Whether a node has recorded an attempt, so that its proxy sends it calls. */
async function hasRecorded({ url }: ServerNode): Promise<boolean> {
  return /^taps_attempts_total [1-9]/m.test(await (await fetch(`${url}/metrics`)).text())
}

/** Plays round after round, and keeps what was not served. */
function keepPlaying(url: string) {
  const failures: string[] = []
  let ended = false
  class Watched extends Client {
    override async send<Body>(path: string, request: ClientRequest = {}): Promise<Answer<Body>> {
      const call = `${request.method ?? 'GET'} ${path}`
      const answer = await super.send<Body>(path, request).catch((error: Error) => {
        failures.push(`${call}: ${error.message}`)
        throw error
      })
      if (answer.status >= 500) failures.push(`${call}: ${answer.status}`)
      return answer
    }
  }
  const loop = async () => {
    const player = new Watched(url)
    while (!ended) {
      // What fails is kept; the player goes on with the next round.
      await player
        .session()
        .then(({ round }) => player.play(round, 500))
        .catch(() => undefined)
    }
  }
  const loops = Array.from({ length: PLAYERS }, loop)
  return {
    async end(): Promise<string[]> {
      ended = true
      await Promise.all(loops)
      return failures
    },
  }
}

/** What a proxy shows that is run as `deploy/` has it. */
export function describeProxy({
  name,
  index,
  prepare,
  boundsConnections,
  passesPosts,
}: ProxyUnderTest): void {
  const program = programPath(name)
  let proxy: RunningProxy
  /** Of the loopback network: what stands for visitors elsewhere, of this proxy alone. */
  const visitor = (n: number) => `127.${20 + index}.0.${n}`

  beforeAll(async () => {
    proxy = await runProxy([node.url], place => prepare(program, place))
  })
  afterAll(() => proxy?.stop())

  test('passes on a whole game, and each event of it as it comes', async () => {
    const player = new Client(proxy.url)
    const viewer = await Viewer.open(proxy.url)
    const { body } = await player.play((await player.session()).round, 500, `By ${name}`)
    const seen = () => viewer.latest('attempts')?.attempts.some(({ id }) => id === body.attempt.id)
    await vi.waitUntil(seen, { timeout: STREAM_TIMEOUT_MS })
    const won = await player.play(body.round, 0)
    const account = await player.createAccount(`By ${name}`, PASSWORD)
    const claimed = await player.post<{ taps: number }>('/api/claim')
    expect(claimed.body.taps).toBe(won.body.prize?.taps)
    expect(account.status).toBe(201)
    await viewer.close()
    // Larger than what a proxy holds in memory.
    const page = await (await fetch(proxy.url)).text()
    for (const [, path] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
      const part = await fetch(proxy.url + path)
      expect(part.status).toBe(200)
      expect((await part.arrayBuffer()).byteLength).toBeGreaterThan(100)
    }
  })

  test('says that it was asked over TLS, and is believed', async () => {
    const [yes = '', no] = await believed()
    const { headers } = await ask(`${proxy.url}/api/session`, visitor(1))
    const cookies = headers['set-cookie'] ?? []
    expect(cookies).toEqual([expect.stringMatching(/^__Host-taps-player=.*; Path=\/; HttpOnly; Secure;/)])
    expect(headers['strict-transport-security']).toBe('max-age=63072000')
    expect(await believed()).toEqual([`${Number(yes) + 1}`, no])
    const redirected = await ask(`${proxy.plainUrl}/`, visitor(1))
    expect(redirected.headers.location).toMatch(/^https:\/\//)
    expect((await ask(`${proxy.url}/metrics`, visitor(1))).status).toBe(404)
  })

  test('tells visitors apart, whatever they say of themselves, so that each has own limits', async () => {
    const { burst } = LIMITS.misses
    const lost = (from: string, says: string) =>
      ask(`${proxy.url}/nowhere`, from, { 'x-forwarded-for': says })
    const statuses: number[] = []
    for (let n = 0; n <= burst; n += 1) statuses.push((await lost(visitor(2), `192.0.2.${n}`)).status)
    expect(statuses.filter(status => status === 404).length).toBeGreaterThanOrEqual(burst)
    // What has come back meanwhile is used up as well.
    await vi.waitUntil(async () => (await lost(visitor(2), '192.0.2.200')).status === 429, { interval: 0 })
    expect((await lost(visitor(3), '192.0.2.200')).status).toBe(404)
  })

  test('passes all calls on while its two nodes are restarted, one after the other', async () => {
    const postgres = await SharedPostgres.open()
    const settings = await Promise.all(
      [0, 1].map(async () => ({ ...postgres.settings(), PORT: `${await freePort('127.0.0.1')}` })),
    )
    const nodes = await Promise.all(settings.map(each => ServerNode.start(each)))
    const before = await runProxy(
      nodes.map(({ url }) => url),
      place => prepare(program, place),
    )
    const play = keepPlaying(before.url)
    for (const [n, node] of nodes.entries()) {
      await vi.waitUntil(() => hasRecorded(node), { timeout: RETURN_TIMEOUT_MS })
      await node.end('SIGTERM')
      const again = await ServerNode.start(settings[n] ?? {})
      nodes[n] = again
      await vi.waitUntil(() => hasRecorded(again), { timeout: RETURN_TIMEOUT_MS })
    }
    const failures = await play.end()
    await before.stop()
    for (const node of nodes) await node.end('SIGTERM')
    await postgres.close()
    expect(failures.filter(failure => passesPosts || failure.startsWith('GET'))).toEqual([])
  })

  if (!boundsConnections) return
  test('keeps one visitor from more connections than the server would', async () => {
    const { hostname, port } = new URL(proxy.url)
    let refused = 0
    const sockets = Array.from({ length: CONNECTIONS + BEYOND }, () => {
      const options = {
        host: hostname,
        port: Number(port),
        localAddress: visitor(4),
        rejectUnauthorized: false,
      }
      const socket = connect(options, () => socket.write(UNFINISHED))
      const isRefused = new Promise(resolve => {
        for (const event of ['data', 'error', 'close']) socket.once(event, resolve)
      })
      void isRefused.then(() => {
        refused += 1
      })
      return socket
    })
    await vi.waitUntil(() => refused === BEYOND, { timeout: REFUSED_TIMEOUT_MS })
    expect((await ask(`${proxy.url}/healthz`, visitor(5))).status).toBe(200)
    expect(refused).toBe(BEYOND)
    for (const socket of sockets) socket.destroy()
    report(`connections of one visitor through ${name}`, { asked: sockets.length, refused })
  })
}
