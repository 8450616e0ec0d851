import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { send } from '../../support/shared-postgres.ts'
import { command } from '../command.ts'
import { CHECKOUT, Debian } from '../debian.ts'

const SECRET = 'a-secret-of-these-tests-32-characters-or-more'
/** The size of the database's disk, a sparse file: more than a run writes. */
const DISK_SIZE = '3G'
const FILLER = '/var/lib/postgresql/filler'

/** The services of each machine, named after the unit files of `deploy/ha`. */
const SERVICES = ['taps-etcd', 'taps-database', 'taps-haproxy@database', 'taps-haproxy@game', 'taps'] as const
export type ServiceName = (typeof SERVICES)[number]

/** One of the three machines of deploy/ha/README.md. */
export class Machine {
  readonly name: string
  readonly address: string
  readonly debian: Debian

  private constructor(name: string, address: string, debian: Debian) {
    this.name = name
    this.address = address
    this.debian = debian
  }

  /**
   * Sets up a machine according to deploy/ha/README.md, without starting its services.
   *
   * @param folder - The folder of `run.sh`, with the certificates in its subfolder `tls`.
   * @param settings - Additional values for `machine.env`.
   */
  static async open(
    name: string,
    address: string,
    folder: string,
    settings: Readonly<Record<string, string>>,
  ): Promise<Machine> {
    const own = join(folder, `machine-${name}`)
    const binds = [`--bind-ro=${CHECKOUT}:/srv/taps`, `--bind=${join(own, 'database')}:/var/lib/postgresql`]
    const debian = await Debian.make(own, [`--machine=${name}`, '--network-bridge=switch', ...binds])
    const script = `cd ${own}; truncate -s ${DISK_SIZE} disk; mkfs.ext4 -q disk; mkdir database; mount -o loop disk database`
    await command('sh', '-euc', script)
    // Disables the services of the image that only the single-machine guide needs.
    for (const other of ['postgresql', 'caddy']) {
      await symlink('/dev/null', debian.path(`etc/systemd/system/${other}.service`))
    }
    const machine = new Machine(name, address, debian)
    await machine.turnOn()
    await machine.#install(join(folder, 'tls'), settings)
    return machine
  }

  run(lines: string): Promise<string> {
    return this.debian.run(lines)
  }

  /** Starts all services, and enables them for each boot. */
  async begin(): Promise<void> {
    await this.run(`systemctl daemon-reload; systemctl enable --now ${SERVICES.join(' ')}`)
    const problems = await this.run(
      `systemd-analyze verify ${SERVICES.map(name => `${name}.service`).join(' ')} 2>&1`,
    )
    if (problems !== '') throw new Error(problems)
  }

  /** Runs systemctl with these arguments on a service. */
  async systemctl(service: ServiceName, ...argv: readonly string[]): Promise<void> {
    await this.run(`systemctl ${argv.join(' ')} ${service}`)
  }

  async signal(service: ServiceName, signal: string): Promise<void> {
    await this.systemctl(service, 'kill', `--signal=${signal}`, '--kill-whom=main')
  }

  /** Cuts the machine's power. */
  async lose(): Promise<void> {
    await this.debian.turnOff()
  }

  async turnOn(): Promise<void> {
    await this.debian.boot()
    await this.debian.ip('address', 'add', `${this.address}/24`, 'dev', 'host0')
    await this.debian.ip('link', 'set', 'host0', 'up')
  }

  /** Disconnects the machine from the network, or connects it again. */
  async link(state: 'down' | 'up'): Promise<void> {
    await command('ip', 'link', 'set', `vb-${this.name}`, state)
  }

  /** Stops every process with SIGSTOP. The network still accepts packets. */
  async freeze(): Promise<void> {
    send('SIGSTOP', await this.debian.pids())
    // Stops processes that started during the first pass.
    send('SIGSTOP', await this.debian.pids())
  }

  async wake(): Promise<void> {
    send('SIGCONT', await this.debian.pids())
  }

  /** Fills the database's disk. */
  async fillDisk(): Promise<void> {
    await this.run(`
      free=$(df --output=avail -k /var/lib/postgresql | tail -1)
      fallocate -l "$((free - 1024))K" ${FILLER}
      dd if=/dev/zero of=${FILLER}2 bs=4k 2>/dev/null || true`)
  }

  async emptyDisk(): Promise<void> {
    await this.run(`rm -f ${FILLER} ${FILLER}2`)
  }

  async #install(tls: string, settings: Readonly<Record<string, string>>): Promise<void> {
    await this.run('systemctl disable --now etcd haproxy; sh deploy/ha/install.sh')
    const etc = this.debian.path('etc/taps')
    const file = join(etc, 'machine.env')
    const values = { ...settings, MACHINE: this.name, ADDRESS: this.address }
    await writeFile(file, fill(await readFile(file, 'utf8'), values))
    const own = ['ca.crt', 'machine.crt', 'machine.key'].map(part => join(this.name, part))
    const copy = (part: string) => copyFile(join(tls, part), join(etc, 'tls', basename(part)))
    await Promise.all([...own, 'site.crt', 'site.key'].map(copy))
    await this.run('cd /etc/taps/tls; chgrp ssl-cert *.key; chmod 0640 *.key; chmod 0644 *.crt')
  }
}

/** Sets values in an environment file, and replaces its placeholders with secrets. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  const filled = Object.entries(values).reduce(
    (text, [name, value]) =>
      text.match(RegExp(`^${name}=`, 'm'))
        ? text.replace(RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`)
        : `${text}${name}=${value}\n`,
    text,
  )
  return filled.replaceAll('change-me', SECRET)
}
