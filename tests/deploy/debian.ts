import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { command } from './command.ts'

const { DEBIAN = '/opt/debian' } = process.env
export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
/** In a control group of its own, since several would share ours; those of machines that were turned off go. */
const NSPAWN = `
  group=/sys/fs/cgroup; [ -d $group/systemd ] && group=$group/systemd
  find $group/taps-* -depth -type d -exec rmdir {} + 2> /dev/null || true
  echo $$ > $(mktemp --directory $group/taps-XXXX)/cgroup.procs
  console=$1; shift
  exec systemd-nspawn --boot --quiet --register=no --keep-unit "$@" >> $console 2>&1`
/** Far more than a busy machine takes. */
const BOOTED = { timeout: 120_000, interval: 250 }

/** A Debian that systemd boots, on a copy of the folder `DEBIAN`; it has the Node of this machine. */
export class Debian {
  readonly #folder: string
  readonly #options: readonly string[]
  #machine: ChildProcess | undefined

  private constructor(folder: string, options: readonly string[]) {
    this.#folder = folder
    this.#options = options
  }

  /**
   * Makes one, which is off.
   *
   * @param folder where everything is that it writes
   * @param options of systemd-nspawn
   */
  static async make(folder: string, options: readonly string[] = []): Promise<Debian> {
    for (const part of ['root', 'upper', 'work']) await mkdir(join(folder, part), { recursive: true })
    const layers = `lowerdir=${DEBIAN},upperdir=${join(folder, 'upper')},workdir=${join(folder, 'work')}`
    await command('mount', '-t', 'overlay', 'overlay', '-o', layers, join(folder, 'root'))
    return new Debian(folder, options)
  }

  /** Where what stands at this path in it, and was written there, is seen from outside. */
  path(path: string): string {
    return join(this.#folder, 'root', path)
  }

  /** Turns it on, and waits until its services have been started. */
  async boot(): Promise<void> {
    const own = [
      join(this.#folder, 'console'),
      `--directory=${this.path('/')}`,
      `--bind-ro=${process.execPath}:/usr/bin/node`,
    ]
    this.#machine = spawn('sh', ['-euc', NSPAWN, 'sh', ...own, ...this.#options], { stdio: 'ignore' })
    const state = () => this.run('systemctl is-system-running || true').catch(() => '')
    await vi.waitUntil(async () => ['running\n', 'degraded\n'].includes(await state()), BOOTED)
  }

  /**
   * Runs lines in the folder of the game, as root does who copies them into a shell; what they print.
   *
   * @throws Error with what they printed, when one of them fails
   */
  async run(lines: string): Promise<string> {
    const place = [
      '--target',
      `${await this.#leader()}`,
      '--mount',
      '--uts',
      '--ipc',
      '--pid',
      '--cgroup',
      '--net',
    ]
    const shell = ['env', '-i', 'PATH=/usr/sbin:/usr/bin', 'HOME=/root', 'LANG=C.UTF-8', 'bash', '-ec']
    return command('nsenter', ...place, ...shell, `cd /srv/taps 2> /dev/null || cd /\n${lines}`)
  }

  /** Changes its network from outside, whatever state its processes are in. */
  async ip(...words: readonly string[]): Promise<void> {
    await command('nsenter', '--target', `${await this.#leader()}`, '--net', 'ip', ...words)
  }

  /** Its processes whose command line has this in it. */
  async pids(words = ''): Promise<number[]> {
    const own = await spaceOf(await this.#leader())
    const pids = (await readdir('/proc')).filter(entry => /^\d+$/.test(entry)).map(Number)
    const spaces = await Promise.all(pids.map(pid => spaceOf(pid).catch(() => '')))
    const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
    return pids.filter((_, place) => {
      return spaces[place] === own && lines[place]?.replaceAll('\0', ' ').includes(words)
    })
  }

  /** Turns it off, in order or as when the power goes. */
  async turnOff(way: 'in order' | 'at once' = 'at once'): Promise<void> {
    if (!this.#machine) return
    const ended = once(this.#machine, 'exit')
    if (way === 'in order') await this.run('systemctl poweroff')
    else process.kill(await this.#leader(), 'SIGKILL')
    await ended
    this.#machine = undefined
  }

  /** Turns it off, and removes what it has written. */
  async remove(): Promise<void> {
    await this.turnOff()
    await command('umount', this.path('/'))
    await rm(this.#folder, { recursive: true })
  }

  /** Its first process, seen from outside. */
  async #leader(): Promise<number> {
    const pid = this.#machine?.pid
    return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ')[0])
  }
}

/** The processes that a process sees. */
const spaceOf = (pid: number) => readlink(`/proc/${pid}/ns/pid`)
