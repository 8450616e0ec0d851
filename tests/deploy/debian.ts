import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { vi } from 'vitest'

const run = promisify(execFile)
/** npm says where it is to whatever it runs. */
const { DEBIAN = '/opt/debian', npm_execpath = '' } = process.env
const BOOTED = { timeout: 120_000, interval: 250 }

/** Where the checkout is seen in it. */
export const CHECKOUT = '/srv/checkout'

/**
 * A Debian that systemd has booted, on a copy of the folder `DEBIAN` that goes when it ends. It has the network, the Node and
 * the npm of this machine, and nothing else of it.
 */
export class Debian {
  readonly #folder: string
  #machine: ChildProcess

  private constructor(folder: string) {
    this.#folder = folder
    this.#machine = this.#start()
  }

  static async boot(): Promise<Debian> {
    const folder = await mkdtemp(join(tmpdir(), 'taps-debian-'))
    for (const part of ['root', 'upper', 'work']) await mkdir(join(folder, part))
    const layers = `lowerdir=${DEBIAN},upperdir=${join(folder, 'upper')},workdir=${join(folder, 'work')}`
    await run('mount', ['-t', 'overlay', 'overlay', '-o', layers, join(folder, 'root')])
    const debian = new Debian(folder)
    await debian.#settle()
    await debian.run('ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/bin/npm')
    return debian
  }

  /**
   * Runs lines in the folder of the game, as root does who copies them into a shell; what they print.
   *
   * @throws Error with what they printed, when one of them fails
   */
  async run(lines: string): Promise<string> {
    const place = ['--target', `${await this.#leader()}`, '--mount', '--uts', '--ipc', '--pid', '--cgroup']
    const shell = ['env', '-i', 'PATH=/usr/sbin:/usr/bin', 'HOME=/root', 'LANG=C.UTF-8', 'bash', '-ec']
    const { stdout } = await run('nsenter', [
      ...place,
      ...shell,
      `cd /srv/taps 2> /dev/null || cd /\n${lines}`,
    ])
    return stdout
  }

  /** Ends everything in order and boots again. */
  async reboot(): Promise<void> {
    const ended = once(this.#machine, 'exit')
    await this.run('systemctl poweroff')
    await ended
    this.#machine = this.#start()
    await this.#settle()
  }

  async close(): Promise<void> {
    process.kill(await this.#leader(), 'SIGKILL')
    await once(this.#machine, 'exit')
    await run('umount', [join(this.#folder, 'root')])
    await rm(this.#folder, { recursive: true })
  }

  #start(): ChildProcess {
    const binds = [
      `${fileURLToPath(new URL('../..', import.meta.url))}:${CHECKOUT}`,
      `${process.execPath}:/usr/bin/node`,
      `${join(npm_execpath, '../..')}:/usr/lib/node_modules/npm`,
    ]
    const root = join(this.#folder, 'root')
    const options = ['--boot', '--quiet', '--register=no', '--keep-unit', `--directory=${root}`]
    const parameters = [...options, ...binds.map(bind => `--bind-ro=${bind}`)]
    return spawn('systemd-nspawn', parameters, { stdio: 'ignore' })
  }

  async #settle(): Promise<void> {
    const state = () => this.run('systemctl is-system-running || true').catch(() => '')
    await vi.waitUntil(async () => ['running\n', 'degraded\n'].includes(await state()), BOOTED)
  }

  /** Its first process, seen from outside; 0 while there is none. */
  async #leader(): Promise<number> {
    const { pid } = this.#machine
    return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ')[0])
  }
}
