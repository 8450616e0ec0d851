import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { send } from '../faults/postgres.ts'
import { command } from './command.ts'
import { Service } from './service.ts'
import { readUnit } from './unit.ts'

const { PATRONI = '/opt/patroni' } = process.env
const CHECKOUT = fileURLToPath(new URL('..', import.meta.url))
const POLL_MS = 10
/** More than the whole of a run writes, in a file that takes only what is written. */
const DISK_SIZE = '3G'
/** What a disk that is full leaves for others: nothing. */
const FILLER = '/var/lib/postgresql/filler'

/** What each machine runs, in the order in which it is started; the unit files of these names. */
const SERVICES = [
  'taps-etcd',
  'taps-database',
  'taps-haproxy@database',
  'taps-haproxy@game',
  'taps-node',
] as const
export type ServiceName = (typeof SERVICES)[number]

/**
 * A machine of its own as far as its programs can tell: a network interface, a file system in which the files of
 * `deploy/ha` are installed, a disk for the database, and services that are kept up.
 */
export class Machine {
  readonly name: string
  readonly address: string
  readonly #folder: string
  readonly #holder: ChildProcess
  readonly #services = new Map<ServiceName, Service>()

  private constructor(name: string, address: string, folder: string) {
    this.name = name
    this.address = address
    this.#folder = folder
    // What lives in them keeps namespaces alive.
    this.#holder = spawn('unshare', ['--mount', '--uts', '--net', 'sleep', 'infinity'], { stdio: 'ignore' })
  }

  /**
   * Makes a machine at the network of `openNetwork`, empty but for the packages of the one we are on.
   *
   * @param folder where its file system and logs are
   */
  static async open(name: string, address: string, folder: string): Promise<Machine> {
    const machine = new Machine(name, address, folder)
    await machine.#plug()
    await machine.#furnish()
    return machine
  }

  /** Its root directory, seen from outside its namespaces for what its overlay has changed. */
  get root(): string {
    return join(this.#folder, 'root')
  }

  /** Runs a command on it, as an administrator would, with the variables of `machine.env`. */
  run(...words: readonly string[]): Promise<string> {
    return command(...this.enter(), ...words)
  }

  /** Runs a script on it. */
  script(text: string): Promise<string> {
    return this.run('sh', '-euc', text)
  }

  /** Changes its network from outside, whatever state its processes are in. */
  ip(...words: readonly string[]): Promise<string> {
    return command('nsenter', ...this.#namespaces, 'ip', ...words)
  }

  /** What has to stand before a command to have it run there. */
  enter(user = 'root', groups: readonly string[] = []): [string, ...string[]] {
    const more = groups.length > 0 ? [`--groups=${groups.join(',')}`] : []
    return ['nsenter', ...this.#namespaces, 'chroot', `--userspec=${user}`, ...more, this.root]
  }

  /** Starts what the unit files installed on it say, as at a boot. */
  async boot(): Promise<void> {
    for (const name of SERVICES) await this.start(name)
  }

  async start(name: ServiceName): Promise<void> {
    const [template = '', instance] = name.split('@')
    const file = `${template}${instance ? '@' : ''}.service`
    const unit = await readUnit(join(this.#folder, 'upper/etc/systemd/system', file), instance)
    const environment = await readFile(join(this.#folder, `upper${unit.environmentFile}`), 'utf8')
    const log = join(this.#folder, `${name}.log`)
    this.#services.set(name, await Service.start(this, unit, environment, log))
  }

  /** Stops a service in order, as `systemctl stop` does. */
  async stop(name: ServiceName): Promise<void> {
    await this.service(name).stop()
  }

  service(name: ServiceName): Service {
    const service = this.#services.get(name)
    if (!service) throw new Error(`${name} was never started on ${this.name}`)
    return service
  }

  /** The power is gone: nothing is said to anybody, and nothing goes on. */
  async lose(): Promise<void> {
    await this.cut()
    for (const service of this.#services.values()) service.abandon()
    for (;;) {
      const pids = await this.pids()
      if (pids.length === 0) break
      send('SIGKILL', pids)
      await sleep(POLL_MS)
    }
  }

  /** The power is back. */
  async comeBack(): Promise<void> {
    await this.script('rm -rf /run/*')
    await this.mend()
    await this.boot()
  }

  /** Every process stands still; the network goes on taking what is sent. */
  async freeze(): Promise<void> {
    send('SIGSTOP', await this.pids())
    // Some may have been started meanwhile.
    send('SIGSTOP', await this.pids())
  }

  async wake(): Promise<void> {
    send('SIGCONT', await this.pids())
  }

  /** Pulls the cable. */
  async cut(): Promise<void> {
    await command('ip', 'link', 'set', this.#port, 'down')
  }

  async mend(): Promise<void> {
    await command('ip', 'link', 'set', this.#port, 'up')
  }

  /** Keeps it from whoever is kept apart too; everybody else still reaches it. */
  async keepApart(apart: boolean): Promise<void> {
    await command('bridge', 'link', 'set', 'dev', this.#port, 'isolated', apart ? 'on' : 'off')
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

  /** Its processes, found by the network they are in. */
  async pids(): Promise<number[]> {
    const net = await readlink(`/proc/${this.#holder.pid}/ns/net`)
    const pids = (await readdir('/proc')).filter(entry => /^\d+$/.test(entry))
    const nets = await Promise.all(pids.map(pid => readlink(`/proc/${pid}/ns/net`).catch(() => '')))
    return pids
      .filter((_, place) => nets[place] === net)
      .map(Number)
      .filter(pid => pid !== this.#holder.pid)
  }

  /** Its processes whose command line has this in it. */
  async pidsOf(words: string): Promise<number[]> {
    const pids = await this.pids()
    const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
    return pids.filter((_, place) => lines[place]?.replaceAll('\0', ' ').includes(words))
  }

  /** The end of what a service has said. */
  async said(name: ServiceName, chars = 4_000): Promise<string> {
    return (await readFile(join(this.#folder, `${name}.log`), 'utf8').catch(() => '')).slice(-chars)
  }

  /** Ends everything on it and the machine itself; its folder stays for whoever wants to read the logs. */
  async close(): Promise<void> {
    await this.lose()
    this.#holder.kill('SIGKILL')
    await once(this.#holder, 'exit')
    await rm(join(this.#folder, 'disk'), { force: true })
  }

  get #namespaces(): string[] {
    return ['--target', `${this.#holder.pid}`, '--mount', '--uts', '--net']
  }

  /** The end of its cable that is not its own. */
  get #port(): string {
    return `to-${this.name}`
  }

  async #plug(): Promise<void> {
    const own = await readlink('/proc/self/ns/net')
    const pid = this.#holder.pid ?? 0
    while ((await readlink(`/proc/${pid}/ns/net`).catch(() => own)) === own) await sleep(POLL_MS)
    await command('ip', 'link', 'add', this.#port, 'type', 'veth', 'peer', 'name', 'lan', 'netns', `${pid}`)
    await command('ip', 'link', 'set', this.#port, 'master', 'switch', 'up')
    await this.ip('address', 'add', `${this.address}/24`, 'dev', 'lan')
    await this.ip('link', 'set', 'lan', 'up')
    await this.ip('link', 'set', 'lo', 'up')
  }

  /** A file system that is ours but for what we change, and no device that could do harm: a watchdog would reset us. */
  async #furnish(): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    await writeFile(
      join(this.#folder, 'furnish.sh'),
      `cd ${this.#folder}
      mkdir -p upper work root
      mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root
      mount --rbind /proc root/proc
      mount -t tmpfs -o mode=0755 tmpfs root/dev
      for device in null zero full random urandom tty; do touch root/dev/$device; mount --bind /dev/$device root/dev/$device; done
      mkdir root/dev/shm; mount -t tmpfs -o mode=1777 tmpfs root/dev/shm
      mount -t tmpfs -o mode=0755 tmpfs root/run
      mkdir -p root/srv/taps root/opt/patroni root/var/lib/postgresql
      mount --bind ${CHECKOUT} root/srv/taps
      mount --bind ${PATRONI} root/opt/patroni
      truncate -s ${DISK_SIZE} disk; mkfs.ext4 -q disk; mount -o loop disk root/var/lib/postgresql
      hostname ${this.name}`,
    )
    await command('nsenter', ...this.#namespaces, 'sh', '-eu', join(this.#folder, 'furnish.sh'))
  }
}
