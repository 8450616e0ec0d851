import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { command } from './command.ts'

const { DEBIAN = '/opt/debian' } = process.env
export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
/** Makes a control group for each machine, and removes those of earlier ones. */
const NSPAWN = `
  group=/sys/fs/cgroup; [ -d $group/systemd ] && group=$group/systemd
  find $group/taps-* -depth -type d -exec rmdir {} + 2> /dev/null || true
  echo $$ > $(mktemp --directory $group/taps-XXXX)/cgroup.procs
  console=$1; shift
  exec systemd-nspawn --boot --quiet --register=no --keep-unit "$@" >> $console 2>&1`
const BOOTED = { timeout: 120_000, interval: 250 }

/** A Debian booted by systemd, on a copy of the folder `DEBIAN`, with this machine's Node. */
export class Debian {
  readonly #folder: string
  readonly #options: readonly string[]
  #machine: ChildProcess | undefined

  private constructor(folder: string, options: readonly string[]) {
    this.#folder = folder
    this.#options = options
  }

  /**
   * Makes a machine that is off.
   *
   * @param folder - Everything that it writes is here.
   * @param options - For systemd-nspawn.
   */
  static async make(folder: string, options: readonly string[] = []): Promise<Debian> {
    for (const part of ['root', 'upper', 'work']) await mkdir(join(folder, part), { recursive: true })
    const layers = `lowerdir=${DEBIAN},upperdir=${join(folder, 'upper')},workdir=${join(folder, 'work')}`
    await command('mount', '-t', 'overlay', 'overlay', '-o', layers, join(folder, 'root'))
    return new Debian(folder, options)
  }

  /** The path of its file, seen from outside. */
  path(path: string): string {
    return join(this.#folder, 'root', path)
  }

  /** Turns it on, and waits until its services have started. */
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
   * Runs lines in the game's folder as root; returns their output.
   *
   * @throws Error with the output, when a line fails
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

  /** Changes its network from outside, even when its processes are stopped. */
  async ip(...words: readonly string[]): Promise<void> {
    await command('nsenter', '--target', `${await this.#leader()}`, '--net', 'ip', ...words)
  }

  /** Its processes with this in their command line. */
  async pids(words = ''): Promise<number[]> {
    const own = await spaceOf(await this.#leader())
    const pids = (await readdir('/proc')).filter(entry => /^\d+$/.test(entry)).map(Number)
    const spaces = await Promise.all(pids.map(pid => spaceOf(pid).catch(() => '')))
    const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
    return pids.filter((_, place) => {
      return spaces[place] === own && lines[place]?.replaceAll('\0', ' ').includes(words)
    })
  }

  async turnOff(way: 'in order' | 'at once' = 'at once'): Promise<void> {
    if (!this.#machine) return
    const ended = once(this.#machine, 'exit')
    if (way === 'in order') await this.run('systemctl poweroff')
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

/** The namespace of the processes that a process sees. */
const spaceOf = (pid: number) => readlink(`/proc/${pid}/ns/pid`)
