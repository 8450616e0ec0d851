import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../support/until.ts'
import { command } from './command.ts'

const { DEBIAN = '/opt/debian' } = process.env
export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
/** A script that removes the control groups of earlier machines, then boots a machine in its own group. */
const NSPAWN = `
  group=/sys/fs/cgroup; [ -d $group/systemd ] && group=$group/systemd
  find $group/taps-* -depth -type d -exec rmdir {} + 2> /dev/null || true
  echo $$ > $(mktemp --directory $group/taps-XXXX)/cgroup.procs
  console=$1; shift
  exec systemd-nspawn --boot --quiet --register=no --keep-unit "$@" >> $console 2>&1`
const BOOT_MS = 120_000

/** A Debian machine with its own systemd and the host's Node. The folder `DEBIAN` stays unchanged. */
export class Debian {
  readonly #folder: string
  readonly #options: readonly string[]
  #machine: ChildProcess | undefined

  private constructor(folder: string, options: readonly string[]) {
    this.#folder = folder
    this.#options = options
  }

  /**
   * Creates a machine without booting it.
   *
   * @param folder - The folder for all files that the machine writes.
   * @param options - Options of systemd-nspawn.
   */
  static async make(folder: string, options: readonly string[] = []): Promise<Debian> {
    for (const part of ['root', 'upper', 'work']) await mkdir(join(folder, part), { recursive: true })
    const layers = `lowerdir=${DEBIAN},upperdir=${join(folder, 'upper')},workdir=${join(folder, 'work')}`
    await command('mount', '-t', 'overlay', 'overlay', '-o', layers, join(folder, 'root'))
    return new Debian(folder, options)
  }

  /** Returns the path on the host of a file in the machine. */
  path(path: string): string {
    return join(this.#folder, 'root', path)
  }

  /** Turns the machine on, and waits until its services have started. */
  async boot(): Promise<void> {
    const own = [
      join(this.#folder, 'console'),
      `--directory=${this.path('/')}`,
      `--bind-ro=${process.execPath}:/usr/bin/node`,
    ]
    this.#machine = spawn('sh', ['-euc', NSPAWN, 'sh', ...own, ...this.#options], { stdio: 'ignore' })
    const state = () => this.run('systemctl is-system-running || true').catch(() => '')
    await until('systemd', async () => ['running\n', 'degraded\n'].includes(await state()), BOOT_MS)
  }

  /**
   * Runs shell lines in the game's folder as root, and returns their output.
   *
   * @throws Error with the output, when a line fails
   */
  async run(lines: string): Promise<string> {
    const place = `--target ${await this.#leader()} --mount --uts --ipc --pid --cgroup --net`
    const shell = 'env -i PATH=/usr/sbin:/usr/bin HOME=/root LANG=C.UTF-8 bash -ec'
    return command(
      'nsenter',
      ...`${place} ${shell}`.split(' '),
      `cd /srv/taps 2> /dev/null || cd /\n${lines}`,
    )
  }

  /** Runs the host's `ip` in the machine's network. Works even when the machine is frozen. */
  async ip(...argv: readonly string[]): Promise<void> {
    await command('nsenter', '--target', `${await this.#leader()}`, '--net', 'ip', ...argv)
  }

  /** Returns the ids of the machine's processes whose command line contains `text`. */
  async pids(text = ''): Promise<number[]> {
    const own = await namespaceOf(await this.#leader())
    const pids = (await readdir('/proc')).filter(entry => /^\d+$/.test(entry)).map(Number)
    const namespaces = await Promise.all(pids.map(pid => namespaceOf(pid).catch(() => '')))
    const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
    return pids.filter((_, place) => {
      return namespaces[place] === own && lines[place]?.replaceAll('\0', ' ').includes(text)
    })
  }

  async turnOff(way: 'shut down' | 'cut power' = 'cut power'): Promise<void> {
    if (!this.#machine) return
    const ended = once(this.#machine, 'exit')
    if (way === 'shut down') await this.run('systemctl poweroff')
    else process.kill(await this.#leader(), 'SIGKILL')
    await ended
    this.#machine = undefined
  }

  async remove(): Promise<void> {
    await this.turnOff()
    await command('umount', this.path('/'))
    await rm(this.#folder, { recursive: true })
  }

  async #leader(): Promise<number> {
    const pid = this.#machine?.pid
    return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ')[0])
  }
}

const namespaceOf = (pid: number) => readlink(`/proc/${pid}/ns/pid`)
