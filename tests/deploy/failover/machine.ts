import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../support/shared-postgres.ts'
import { Cable } from './cable.ts'
import { Container } from './container.ts'
import { Service } from './service.ts'
import { readUnit } from './unit.ts'

const POLL_MS = 10
/** What a disk that is full leaves for others: nothing. */
const FILLER = '/var/lib/postgresql/filler'

/** What each machine runs, in the order in which it is started; the unit files of these names. */
const SERVICES = ['taps-etcd', 'taps-database', 'taps-haproxy@database', 'taps-haproxy@game', 'taps'] as const
export type ServiceName = (typeof SERVICES)[number]

/** A machine as far as its programs can tell, in which the files of `deploy/ha` are installed and its services kept up. */
export class Machine {
  readonly name: string
  readonly address: string
  readonly container: Container
  readonly cable: Cable
  readonly #folder: string
  readonly #services = new Map<ServiceName, Service>()

  private constructor(name: string, address: string, folder: string, container: Container, cable: Cable) {
    this.name = name
    this.address = address
    this.#folder = folder
    this.container = container
    this.cable = cable
  }

  /**
   * Makes a machine at the network of `openNetwork`, empty but for the packages of the one we are on.
   *
   * @param folder where its file system and logs are
   */
  static async open(name: string, address: string, folder: string): Promise<Machine> {
    const container = await Container.open(name, folder)
    return new Machine(name, address, folder, container, await Cable.plug(container, name, address))
  }

  /** Runs a command on it, as an administrator would. */
  run(...words: readonly string[]): Promise<string> {
    return this.container.run(...words)
  }

  /** Runs a script on it. */
  script(text: string): Promise<string> {
    return this.run('sh', '-euc', text)
  }

  /** Starts what the unit files installed on it say, as at a boot. */
  async boot(): Promise<void> {
    for (const name of SERVICES) await this.start(name)
  }

  async start(name: ServiceName): Promise<void> {
    const [template = '', instance] = name.split('@')
    const file = `${template}${instance ? '@' : ''}.service`
    const unit = await readUnit(this.container.path(join('etc/systemd/system', file)), instance)
    const environment = await readFile(this.container.path(unit.environmentFile), 'utf8')
    const log = join(this.#folder, `${name}.log`)
    this.#services.set(name, await Service.start(this.container, unit, environment, log))
  }

  service(name: ServiceName): Service {
    const service = this.#services.get(name)
    if (!service) throw new Error(`${name} was never started on ${this.name}`)
    return service
  }

  /** The power is gone: nothing is said to anybody, and nothing goes on. */
  async lose(): Promise<void> {
    await this.cable.cut()
    for (const service of this.#services.values()) service.abandon()
    for (;;) {
      const pids = await this.container.pids()
      if (pids.length === 0) break
      send('SIGKILL', pids)
      await sleep(POLL_MS)
    }
  }

  /** The power is back. */
  async comeBack(): Promise<void> {
    await this.script('rm -rf /run/*')
    await this.cable.mend()
    await this.boot()
  }

  /** Every process stands still; the network goes on taking what is sent. */
  async freeze(): Promise<void> {
    send('SIGSTOP', await this.container.pids())
    // Some may have been started meanwhile.
    send('SIGSTOP', await this.container.pids())
  }

  async wake(): Promise<void> {
    send('SIGCONT', await this.container.pids())
  }

  /** Leaves no room on the database's disk. */
  async fillDisk(): Promise<void> {
    await this.script(`
      free=$(df --output=avail -k /var/lib/postgresql | tail -1)
      fallocate -l "$((free - 1024))K" ${FILLER}
      dd if=/dev/zero of=${FILLER}2 bs=4k 2>/dev/null || true`)
  }

  async emptyDisk(): Promise<void> {
    await this.script(`rm -f ${FILLER} ${FILLER}2`)
  }

  /** Ends everything on it and the machine itself. */
  async close(): Promise<void> {
    await this.lose()
    await this.container.close()
  }
}
