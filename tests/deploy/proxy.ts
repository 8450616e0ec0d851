import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as plain } from 'node:http'
import { request as overTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { selfSigned } from './certificate.ts'
import { startProgram } from './program.ts'
import { adapt, type DeployedProxy, type Place } from './proxies.ts'

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
  const url = `https://${place.secure}`
  const isReady = async () => (await ask(`${url}/healthz`)).status === 200
  const program = await startProgram(proxy.name, parameters, isReady, { PATH, HOME: place.folder })
  return {
    url,
    plainUrl: `http://${place.plain}`,
    async stop() {
      await program.stop()
      await rm(place.folder, { recursive: true, force: true })
    },
  }
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
