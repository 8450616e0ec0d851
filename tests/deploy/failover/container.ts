import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { command } from './command.ts'

const { PATRONI = '/opt/patroni' } = process.env
const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
const POLL_MS = 10
/** More than the whole of a run writes, in a file that takes only what is written. */
const DISK_SIZE = '3G'

/** Namespaces with a file system and a disk of their own, in which programs believe that they have a machine to themselves. */
export class Container {
  readonly #folder: string
  readonly #holder: ChildProcess

  private constructor(folder: string) {
    this.#folder = folder
    // What lives in them keeps namespaces alive.
    this.#holder = spawn('unshare', ['--mount', '--uts', '--net', 'sleep', 'infinity'], { stdio: 'ignore' })
  }

  /**
   * Makes one, empty but for the packages of the machine we are on, and without a network.
   *
   * @param folder where its file system is
   */
  static async open(name: string, folder: string): Promise<Container> {
    const container = new Container(folder)
    await container.#settle()
    await container.#furnish(name)
    return container
  }

  /** The process that holds its namespaces. */
  get pid(): number {
    return this.#holder.pid ?? 0
  }

  /** What stands at this path in it and has been changed there, seen from outside. */
  path(path: string): string {
    return join(this.#folder, 'upper', path)
  }

  /** What has to stand before a command to have it run there. */
  enter(user = 'root', groups: readonly string[] = []): [string, ...string[]] {
    const more = groups.length > 0 ? [`--groups=${groups.join(',')}`] : []
    const root = join(this.#folder, 'root')
    return ['nsenter', ...this.#namespaces, 'chroot', `--userspec=${user}`, ...more, root]
  }

  /** Runs a command in it, as an administrator would. */
  run(...words: readonly string[]): Promise<string> {
    return command(...this.enter(), ...words)
  }

  /** Changes its network from outside, whatever state its processes are in. */
  ip(...words: readonly string[]): Promise<string> {
    return command('nsenter', ...this.#namespaces, 'ip', ...words)
  }

  /** Its processes, found by the network they are in. */
  async pids(): Promise<number[]> {
    const net = await netOf(this.pid)
    const pids = (await readdir('/proc')).filter(entry => /^\d+$/.test(entry)).map(Number)
    const nets = await Promise.all(pids.map(pid => netOf(pid).catch(() => '')))
    return pids.filter((pid, place) => nets[place] === net && pid !== this.pid)
  }

  /** Its processes whose command line has this in it. */
  async pidsOf(words: string): Promise<number[]> {
    const pids = await this.pids()
    const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
    return pids.filter((_, place) => lines[place]?.replaceAll('\0', ' ').includes(words))
  }

  /** Ends it, once nothing lives in it any more; its folder stays for whoever wants to read it. */
  async close(): Promise<void> {
    this.#holder.kill('SIGKILL')
    await once(this.#holder, 'exit')
    await rm(join(this.#folder, 'disk'), { force: true })
  }

  get #namespaces(): string[] {
    return ['--target', `${this.pid}`, '--mount', '--uts', '--net']
  }

  /** Waits until it has a network of its own. */
  async #settle(): Promise<void> {
    const own = await netOf('self')
    while ((await netOf(this.pid).catch(() => own)) === own) await sleep(POLL_MS)
  }

  /** A file system that is ours but for what we change, and no device that could do harm. */
  async #furnish(name: string): Promise<void> {
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
      hostname ${name}`,
    )
    await command('nsenter', ...this.#namespaces, 'sh', '-eu', join(this.#folder, 'furnish.sh'))
  }
}

/** The network that a process is in. */
const netOf = (pid: number | 'self') => readlink(`/proc/${pid}/ns/net`)
