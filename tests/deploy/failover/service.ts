import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, type WriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../support/shared-postgres.ts'
import type { Container } from './container.ts'
import { expand, readEnvironment, type Unit } from './unit.ts'

const { PATH = '' } = process.env

/** A service of a machine, kept up as systemd keeps it by its unit file. */
export class Service {
  readonly #container: Container
  readonly #unit: Unit
  readonly #environment: Readonly<Record<string, string>>
  readonly #log: WriteStream
  #child: ChildProcess | undefined
  #wanted = true

  private constructor(container: Container, unit: Unit, environment: string, log: string) {
    this.#container = container
    this.#unit = unit
    this.#environment = { PATH, ...unit.environment, ...readEnvironment(environment) }
    this.#log = createWriteStream(log, { flags: 'a' })
  }

  static async start(container: Container, unit: Unit, environment: string, log: string): Promise<Service> {
    const service = new Service(container, unit, environment, log)
    await service.#prepare()
    service.#launch()
    return service
  }

  /** 0 while it is down. */
  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** Sends its main process a signal, to which it may come back by itself. */
  signal(signal: NodeJS.Signals): void {
    send(signal, [this.pid])
  }

  /** Whatever becomes of it, it is not started again. */
  abandon(): void {
    this.#wanted = false
  }

  async #prepare(): Promise<void> {
    const { user, stateDirectories, runtimeDirectories } = this.#unit
    const folders = [
      ...stateDirectories.map(name => `/var/lib/${name}`),
      ...runtimeDirectories.map(name => `/run/${name}`),
    ]
    for (const folder of folders) await this.#container.run('install', '-d', '-m', '0755', '-o', user, folder)
  }

  #launch(): void {
    const { user, groups, workingDirectory, start } = this.#unit
    const [program, ...parameters] = this.#container.enter(user, groups)
    const words = ['env', `--chdir=${workingDirectory}`, ...expand(start, this.#environment)]
    const child = spawn(program, [...parameters, ...words], {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (said: Buffer) => this.#note(said.toString()))
    }
    child.on('exit', (code, signal) => void this.#ended(code, signal))
  }

  #note(said: string): void {
    this.#log.write(`${new Date().toISOString()} ${said}`)
  }

  async #ended(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    this.#child = undefined
    this.#note(`ended: ${code ?? signal}\n`)
    if (!this.#wanted) return
    await sleep(this.#unit.restartMs)
    if (this.#wanted) this.#launch()
  }
}
