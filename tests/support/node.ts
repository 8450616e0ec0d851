import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url))
/** Far above a start that has to replay the log of a crash. */
const READY_TIMEOUT_MS = 60_000
/** What is kept of what a server says, more than any run makes it say. */
const OUTPUT_MAX_CHARS = 1_000_000
/** What the message of a test that fails tells of it. */
const TOLD_CHARS = 20_000
/** Nobody waits for real rounds, every failure of the server's is told, no flood limit is in the way. */
const LENIENT = { RATE_LIMITS: 'off', CLOCK_TOLERANCE_MS: '600000', LOG_LEVEL: 'warn', LOG_FORMAT: 'json' }

/** Environment variables of one server. */
export type Settings = Readonly<Record<string, string>>

const running = new Set<ServerNode>()

/** One server of the game in a process of its own, as an operator runs it. */
export class ServerNode {
  readonly #child: ChildProcess
  /** Resolves when the process is gone. */
  readonly exited: Promise<unknown>
  #output = ''
  #url = ''

  private constructor(settings: Settings, parameters: readonly string[], program: string) {
    const { PATH, HOME } = process.env
    this.#child = spawn(program, parameters, {
      env: { PATH, HOME, PORT: '0', HOST: '127.0.0.1', ...LENIENT, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The terminal's Ctrl-C is the test's to pass on.
      detached: true,
    })
    this.exited = once(this.#child, 'exit').finally(() => running.delete(this))
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => this.#hear(chunk.toString()))
    }
    running.add(this)
  }

  /**
   * Starts a server and waits until it says where it is.
   *
   * @param parameters of another program than the game's
   * @param program what runs it
   * @throws Error with what it said, when it ends instead
   */
  static async start(
    settings: Settings,
    parameters?: readonly string[],
    program?: string,
  ): Promise<ServerNode> {
    const node = ServerNode.launch(settings, parameters, program)
    await node.ready()
    return node
  }

  /** Starts a server without waiting for it. */
  static launch(
    settings: Settings,
    parameters: readonly string[] = [MAIN],
    program = process.execPath,
  ): ServerNode {
    return new ServerNode(settings, parameters, program)
  }

  async ready(): Promise<void> {
    const deadline = performance.now() + READY_TIMEOUT_MS
    while (this.#url === '') {
      const left = deadline - performance.now()
      if (!this.isUp || left <= 0)
        throw new Error(`The server is not ready:\n${this.#output.slice(-TOLD_CHARS)}`)
      await Promise.race([this.exited, this.#said(left)])
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

  /** 0 after an orderly end; null while it runs, and after a signal ended it. */
  get exitCode(): number | null {
    return this.#child.exitCode
  }

  /** What it has said on both streams, the end of it. */
  get output(): string {
    return this.#output
  }

  /** What its log says, without what it says it with. */
  get sentences(): string[] {
    const lines = this.#output.split('\n').filter(line => line.startsWith('{'))
    return lines.map(line => (JSON.parse(line) as { msg: string }).msg)
  }

  /** Leaves it alone: whatever it says from now on, nobody reads it. */
  stopReading(): void {
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
  }

  /** Sends a signal and waits for the end of the process. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.isUp) this.#child.kill(signal)
    await this.exited
  }

  #hear(text: string): void {
    this.#output = (this.#output + text).slice(-OUTPUT_MAX_CHARS)
    if (this.#url !== '') return
    // A line of the log, or, of what the bench compares with, a plain one.
    const [, url] = /(?:^|"msg":")[\w .:]+ is ready at (http:[^\s",]+)/m.exec(this.#output) ?? []
    if (url) this.#url = url
  }

  #said(timeoutMs: number): Promise<unknown> {
    const signal = AbortSignal.timeout(Math.ceil(timeoutMs))
    return once(this.#child.stdout ?? this.#child, 'data', { signal }).catch(() => undefined)
  }
}

/** Stops every server that still runs, so that each can stop its database. */
export async function endNodes(): Promise<void> {
  await Promise.all(Array.from(running, node => node.end('SIGTERM')))
}
