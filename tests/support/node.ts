import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from './child-environment.ts'

/** The built server. */
export const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url))
/** The timeout of a start, long enough for recovery from a crash. */
const READY_TIMEOUT_MS = 60_000
const OUTPUT_MAX_CHARS = 1_000_000
const ERROR_OUTPUT_CHARS = 20_000
/** Settings that let tests play without waiting and without limits, and that log every failure. */
const LENIENT = { RATE_LIMITS: 'off', CLOCK_TOLERANCE_MS: '600000', LOG_LEVEL: 'warn', LOG_FORMAT: 'json' }
/** A data folder without a game, because the checkout may contain one. */
export const NO_DATA = join(tmpdir(), 'taps-no-data')

export type Settings = Readonly<Record<string, string>>

const running = new Set<ServerNode>()

/** A server in its own process, as an operator runs it. */
export class ServerNode {
  readonly #child: ChildProcess
  readonly exited: Promise<unknown>
  #output = ''
  #url = ''

  private constructor(settings: Settings, parameters: readonly string[]) {
    this.#child = spawn(process.execPath, parameters, {
      env: childEnvironment({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: NO_DATA, ...LENIENT, ...settings }),
      stdio: ['ignore', 'pipe', 'pipe'],
      // Keeps a Ctrl-C in the terminal from stopping the server.
      detached: true,
    })
    this.exited = once(this.#child, 'exit').finally(() => running.delete(this))
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => this.#collect(chunk.toString()))
    }
    running.add(this)
  }

  /**
   * Starts a server and waits until it logs its address.
   *
   * @param parameters - The arguments of Node.
   * @throws Error with the server's output, when the server ends or takes too long
   */
  static async start(settings: Settings, parameters?: readonly string[]): Promise<ServerNode> {
    const node = ServerNode.launch(settings, parameters)
    await node.ready()
    return node
  }

  static launch(settings: Settings, parameters: readonly string[] = [MAIN]): ServerNode {
    return new ServerNode(settings, parameters)
  }

  async ready(): Promise<void> {
    const deadline = performance.now() + READY_TIMEOUT_MS
    while (this.#url === '') {
      const left = deadline - performance.now()
      if (!this.isUp || left <= 0)
        throw new Error(`The server is not ready:\n${this.#output.slice(-ERROR_OUTPUT_CHARS)}`)
      await Promise.race([this.exited, this.#nextOutput(left)])
    }
  }

  get url(): string {
    return this.#url
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get isUp(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The exit code of the process; null while the process runs, and after a signal. */
  get exitCode(): number | null {
    return this.#child.exitCode
  }

  get output(): string {
    return this.#output
  }

  /** The messages of the server's log. */
  get sentences(): string[] {
    const lines = this.#output.split('\n').filter(line => line.startsWith('{'))
    return lines.map(line => (JSON.parse(line) as { msg: string }).msg)
  }

  stopReading(): void {
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.isUp) this.#child.kill(signal)
    await this.exited
  }

  #collect(text: string): void {
    this.#output = (this.#output + text).slice(-OUTPUT_MAX_CHARS)
    if (this.#url !== '') return
    const [, url] = /"msg":"TAPS \S+ is ready at (http:[^\s",]+)/.exec(this.#output) ?? []
    if (url) this.#url = url
  }

  #nextOutput(timeoutMs: number): Promise<unknown> {
    const signal = AbortSignal.timeout(Math.ceil(timeoutMs))
    return once(this.#child.stdout ?? this.#child, 'data', { signal }).catch(() => undefined)
  }
}

/** Stops all running servers, and waits until each has stopped its database. */
export async function endNodes(): Promise<void> {
  await Promise.all(Array.from(running, node => node.end('SIGTERM')))
}
