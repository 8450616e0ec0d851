import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { StartError } from '../lib/errors.ts'
import type { Logger } from '../log.ts'
import type { Installation } from './installation.ts'
import { AlreadyOwned, makeDatabase, takeOwnership, tryConnect } from './owner.ts'
import { adopt, findStranger, type Launched, launch, type Postmaster, stopPostmaster } from './postmaster.ts'

/** The time limit of a start; allows for replaying the log after a crash. */
const START_TIMEOUT_MS = 120_000
const LEFTOVER_PATIENCE_MS = 10_000
const POLL_MS = 25
const RELAUNCH_MS = 250
/** The first pause between restarts of a lost database. Each further pause is twice as long. */
const RECOVERY_FIRST_MS = 100
const RECOVERY_MAX_MS = 2_000

/** Matches errors caused by leftover processes, which soon exit. */
const LEFTOVER = /lock file|shared memory block|is in use|unexpected postmaster exit/

/** Keeps the PostgreSQL of a folder running, until `stop`. */
export class Supervisor {
  readonly #installation: Installation
  readonly #settings: Readonly<Record<string, string>>
  readonly #log: Pick<Logger, 'warn'>
  /** The postmaster started last, until it is up. */
  #launched: Launched | null = null
  /** The postmaster to stop; it may still be starting. */
  #postmaster: Postmaster | null = null
  #isUp = false
  #stopped: Promise<void> | null = null

  /** @param settings - PostgreSQL settings that override the game's own. */
  constructor(
    installation: Installation,
    settings: Readonly<Record<string, string>>,
    log: Pick<Logger, 'warn'>,
  ) {
    this.#installation = installation
    this.#settings = settings
    this.#log = log
  }

  /**
   * Adopts or starts the PostgreSQL of this folder, and takes ownership of the folder.
   *
   * @throws {AlreadyOwned} when another process owns the folder; its PostgreSQL keeps running
   * @throws {StartError} when PostgreSQL does not start
   */
  async open(isPatient: boolean): Promise<void> {
    const client = await this.#reach()
    // Registers first: the connection may be lost during the next steps.
    const lost = new Promise<void>(resolve => client.once('end', resolve))
    try {
      await takeOwnership(client, this.#installation, isPatient)
      await makeDatabase(client)
      const adopted = await adopt(this.#installation.paths)
      this.#requireRunning()
      this.#postmaster = adopted ?? this.#postmaster
      this.#launched = null
      this.#isUp = true
    } catch (error) {
      await client.end().catch(() => undefined)
      // Another process owns the folder now, so this process must not stop PostgreSQL.
      if (error instanceof AlreadyOwned) this.#launched = this.#postmaster = null
      throw error
    }
    void lost.then(() => {
      this.#isUp = false
      if (!this.#stopped) void this.#recover()
    })
  }

  /** Stops PostgreSQL if this process owns it, even while it starts. */
  stop(): Promise<void> {
    this.#stopped ??= this.#postmaster
      ? stopPostmaster(this.#postmaster, this.#isUp ? 'fast' : 'immediate')
      : Promise.resolve()
    return this.#stopped
  }

  #requireRunning(): void {
    if (this.#stopped) throw new StartError('The database was stopped while it was starting')
  }

  async #reach(): Promise<pg.Client> {
    const began = performance.now()
    while (performance.now() - began < START_TIMEOUT_MS) {
      const answer = await tryConnect(this.#installation)
      this.#requireRunning()
      if (typeof answer === 'object') return answer
      if (answer === 'absent' && !(await this.#launched?.isAlive())) await this.#relaunch(began)
      await sleep(POLL_MS)
    }
    throw this.#failure(`it was not ready within ${START_TIMEOUT_MS / 1_000} s`)
  }

  async #relaunch(began: number): Promise<void> {
    if (this.#launched) {
      const reason = await this.#launched.errorLine()
      const isPatient = LEFTOVER.test(reason) && performance.now() - began < LEFTOVER_PATIENCE_MS
      if (!isPatient) throw this.#failure(reason)
      await sleep(RELAUNCH_MS)
    }
    const stranger = await findStranger(this.#installation.paths)
    if (!this.#stopped)
      this.#postmaster = this.#launched = launch(this.#installation, this.#settings, stranger)
  }

  #failure(reason: string): StartError {
    this.#launched = null
    return new StartError(`PostgreSQL does not start: ${reason} (see ${this.#installation.paths.log})`)
  }

  async #recover(): Promise<void> {
    this.#log.warn('the database was lost; restarting it')
    let logged = ''
    for (let pauseMs = RECOVERY_FIRST_MS; !this.#stopped; pauseMs = Math.min(pauseMs * 2, RECOVERY_MAX_MS)) {
      const problem = await this.open(true).then(
        () => null,
        (error: Error) => error.message,
      )
      if (problem === null) return
      if (problem !== logged && !this.#stopped) this.#log.warn(problem)
      logged = problem
      await sleep(pauseMs)
    }
  }
}
