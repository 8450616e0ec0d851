import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as plain } from 'node:http'
import { request as overTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { selfSigned } from './certificate.ts'
import { adapt, type DeployedProxy, type Place } from './proxies.ts'

const READY_TIMEOUT_MS = 20_000
const HOST = '127.0.0.1'

export interface RunningProxy {
  /** The address with TLS; `plainUrl` is the address without TLS. */
  readonly url: string
  readonly plainUrl: string
  stop(): Promise<void>
}

/** Starts a proxy in front of nodes, and waits until the proxy answers. */
export async function runProxy(proxy: DeployedProxy, nodes: readonly string[]): Promise<RunningProxy> {
  const place = await makePlace(nodes)
  const parameters = await proxy.parameters(await adapt(proxy, place), place.folder)
  const { PATH } = process.env
  const child = spawn(proxy.name, parameters, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH, HOME: place.folder },
  })
  let output = ''
  child.stderr.on('data', chunk => {
    output += chunk
  })
  const url = `https://${place.secure}`
  const stop = async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit')
    await rm(place.folder, { recursive: true, force: true })
  }
  const isReady = () => {
    if (child.exitCode !== null) throw new Error(`${proxy.name} exited with code ${child.exitCode}`)
    return ask(`${url}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  }
  await vi.waitUntil(isReady, { timeout: READY_TIMEOUT_MS, interval: 50 }).catch(async error => {
    await stop()
    throw new Error(`${proxy.name} does not pass on requests: ${output}`, { cause: error })
  })
  return { url, plainUrl: `http://${place.plain}`, stop }
}

export interface ProxyAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
}

/** @param from - The local address of the request. */
export async function ask(
  url: string,
  from = HOST,
  headers: Record<string, string> = {},
): Promise<ProxyAnswer> {
  const request = url.startsWith('https') ? overTls : plain
  const options = { rejectUnauthorized: false, localAddress: from, headers, agent: false }
  const asking = request(url, options).end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'close')
  return { status: answer.statusCode ?? 0, headers: answer.headers }
}

async function makePlace(nodes: readonly string[]): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'taps-proxy-'))
  // Lets nginx's workers, which run as another user, read the folder.
  await chmod(folder, 0o755)
  const { key, certificate } = await selfSigned(folder, 'DNS:localhost,IP:127.0.0.1')
  const both = join(folder, 'both.pem')
  await writeFile(both, (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8')))
  return {
    folder,
    servers: nodes.map(url => new URL(url).host),
    plain: `${HOST}:${await freePort(HOST)}`,
    secure: `${HOST}:${await freePort(HOST)}`,
    certificate,
    key,
    both,
  }
}
