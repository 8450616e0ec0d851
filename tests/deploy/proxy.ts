import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as plain } from 'node:http'
import { request as overTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { freePort } from '../support/free-port.ts'

const READY_TIMEOUT_MS = 20_000
const DEPLOY = new URL('../../deploy/', import.meta.url)

/** Where a proxy of the tests works, and what for. */
export interface Place {
  readonly folder: string
  /** Of the nodes behind it. */
  readonly servers: readonly string[]
  /** Where it is to listen, without TLS and with it. */
  readonly plain: string
  readonly secure: string
  /** Self-signed; `both` holds the two in one file. */
  readonly certificate: string
  readonly key: string
  readonly both: string
}

/** A proxy of this machine that runs a file of `deploy/`. */
export interface RunningProxy {
  /** With https, and with http. */
  readonly url: string
  readonly plainUrl: string
  stop(): Promise<void>
}

/**
 * Runs a proxy in front of the game, until it answers.
 *
 * @param prepare writes what it reads, and gives its program and parameters
 */
export async function runProxy(
  nodes: readonly string[],
  prepare: (place: Place) => Promise<readonly string[]>,
): Promise<RunningProxy> {
  const place = await makePlace(nodes)
  const [program = '', ...parameters] = await prepare(place)
  const { PATH } = process.env
  const child = spawn(program, parameters, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH, HOME: place.folder },
  })
  let complaints = ''
  child.stderr.on('data', chunk => {
    complaints += chunk
  })
  const url = `https://${place.secure}`
  const stop = async () => {
    await end(child)
    await rm(place.folder, { recursive: true, force: true })
  }
  const isReady = () => {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}`)
    return ask(`${url}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  }
  await vi.waitUntil(isReady, { timeout: READY_TIMEOUT_MS, interval: 50 }).catch(async error => {
    await stop()
    throw new Error(`${program} does not pass on what it is asked: ${complaints}`, { cause: error })
  })
  return { url, plainUrl: `http://${place.plain}`, stop }
}

/**
 * Writes a file of `deploy/` into the folder of a proxy, with another word for some.
 *
 * @throws Error when one of them is not in it
 */
export async function adapt(file: string, folder: string, words: Record<string, string>): Promise<string> {
  let text = await readFile(new URL(file, DEPLOY), 'utf8')
  for (const [old, word] of Object.entries(words)) {
    if (!text.includes(old)) throw new Error(`${file} has no ${old}`)
    text = text.replaceAll(old, word)
  }
  const path = join(folder, file)
  await writeFile(path, text)
  return path
}

/** What a request was answered; whoever signed the certificate. */
export interface Asked {
  readonly status: number
  readonly headers: IncomingMessage['headers']
}

/** @param from the address of this machine that it is to come from */
export async function ask(
  url: string,
  from = '127.0.0.1',
  headers: Record<string, string> = {},
): Promise<Asked> {
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
  // nginx gives up its rights.
  await chmod(folder, 0o755)
  const [key, certificate, both] = ['key.pem', 'certificate.pem', 'both.pem'].map(name => join(folder, name))
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-keyout', `${key}`, '-out', `${certificate}`, ...names],
  ])
  await writeFile(`${both}`, (await readFile(`${certificate}`, 'utf8')) + (await readFile(`${key}`, 'utf8')))
  return {
    folder,
    servers: nodes.map(url => new URL(url).host),
    plain: `127.0.0.1:${await freePort('127.0.0.1')}`,
    secure: `127.0.0.1:${await freePort('127.0.0.1')}`,
    certificate: `${certificate}`,
    key: `${key}`,
    both: `${both}`,
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
