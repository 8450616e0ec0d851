import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { inProject, ROOT, requireWritable, SetupError } from './project.mjs'

const FOLDER = inProject('.cache')
const FILE = inProject('.cache', 'setup.lock')
const POLL_MS = 100
/** A slow line takes minutes to install; whoever waits longer waits for something that hangs. */
const PATIENCE_MS = 15 * 60_000
/** After taking over from a dead holder: long enough for another taker to have done the same. */
const SETTLE_MS = 100

/** Who is at work: a start and, while it runs one, its child, which may outlive it. */
export class SetupLock {
  #token = describe([process.pid])

  /**
   * Waits until nobody else sets this folder up. It ends with `release`, or when all its processes are dead.
   *
   * @throws {SetupError}
   */
  async take() {
    requireWritable(ROOT)
    mkdirSync(FOLDER, { recursive: true })
    requireWritable(FOLDER)
    const deadline = performance.now() + PATIENCE_MS
    let told = false
    while (!(await this.#tryTake())) {
      if (performance.now() > deadline)
        throw new SetupError(`Another start hangs: end it, or delete ${FILE}.`)
      if (!told) console.log('Another start is setting things up; waiting for it …')
      told = true
      await sleep(POLL_MS)
    }
  }

  async #tryTake() {
    try {
      writeFileSync(FILE, this.#token, { flag: 'wx' })
      return true
    } catch {
      if (isHeld(read())) return false
    }
    this.#write(this.#token)
    await sleep(SETTLE_MS)
    return read() === this.#token
  }

  /** @param {number} pid of a child that must be dead, too, before anybody else may set up */
  include(pid) {
    this.#token = describe([process.pid, pid])
    this.#write(this.#token)
  }

  release() {
    if (read() === this.#token) rmSync(FILE, { force: true })
  }

  /** @param {string} token */
  #write(token) {
    const draft = `${FILE}.${process.pid}`
    writeFileSync(draft, token)
    renameSync(draft, FILE)
  }
}

/** @param {readonly number[]} pids */
function describe(pids) {
  return [hostname(), ...pids].join(' ')
}

function read() {
  try {
    return readFileSync(FILE, 'utf8')
  } catch {
    return ''
  }
}

/** @param {string} token */
function isHeld(token) {
  const [host, ...pids] = token.split(' ')
  return host === hostname() && pids.some(pid => isAlive(Number(pid)))
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
