import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Connection } from '../database/connection.ts'
import { StartError } from '../lib/process.ts'
import type { Logger } from '../log.ts'
import { connectionTo, GAME_DATABASE, type Installation, install } from './installation.ts'
import { AlreadyOwned, makeDatabase, takeOwnership, tryConnect } from './owner.ts'
import { adopt, findStranger, type Launched, launch, type Postmaster, stopPostmaster } from './postmaster.ts'
import type { Binaries, SystemUser } from './programs.ts'

export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  readonly log: Pick<Logger, 'warn'>
  /** Whether to own and stop the database; false for a command, which uses a server's database. */
  readonly exclusive?: boolean
  readonly settings?: Readonly<Record<string, string>>
  readonly binaries?: Binaries | undefined
  /** The system user who runs a new PostgreSQL; `chooseSystemUser` chooses one by default. */
  readonly user?: SystemUser | undefined
}

export interface EmbeddedPostgres {
  readonly connection: Connection
  /** Stops the database in at most 8 s, if this process owns the database. May be called repeatedly. */
  stop(): Promise<void>
}

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

/**
 * Opens the embedded PostgreSQL and restarts it whenever it exits, until `stop`. Creates the cluster at the
 * first start, and adopts a PostgreSQL that outlived its server.
 *
 * @throws {StartError} when another server owns the folder, another major version made it, or the disk is
 *   full
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, exclusive = true, settings = {}, binaries, user } = options
  const installation = await install(dataDir, binaries, user)
  const connection = connectionTo(GAME_DATABASE, installation)
  const { open, stop } = supervise(installation, settings, log)
  try {
    await open(exclusive)
  } catch (error) {
    if (!(error instanceof AlreadyOwned)) await stop()
    else if (!exclusive) return { connection, stop: async () => undefined }
    throw error
  }
  return { connection, stop }
}

function supervise(
  installation: Installation,
  settings: Readonly<Record<string, string>>,
  log: Pick<Logger, 'warn'>,
) {
  /** The postmaster started last, until it is up. */
  let launched: Launched | null = null
  /** The postmaster to stop; it may still be starting. */
  let postmaster: Postmaster | null = null
  let isUp = false
  let stopped: Promise<void> | null = null

  /**
   * Adopts or starts the PostgreSQL of this folder, and takes ownership of the folder.
   *
   * @throws {AlreadyOwned} when another process owns the folder; its PostgreSQL keeps running
   * @throws {StartError} when PostgreSQL does not start
   */
  async function open(isPatient: boolean): Promise<void> {
    const client = await reach()
    // Registers first: the connection may be lost during the next steps.
    const lost = new Promise<void>(resolve => client.once('end', resolve))
    try {
      await takeOwnership(client, installation, isPatient)
      await makeDatabase(client)
      const adopted = await adopt(installation.paths)
      requireRunning()
      postmaster = adopted ?? postmaster
      launched = null
      isUp = true
    } catch (error) {
      await client.end().catch(() => undefined)
      // Another process owns the folder now, so this process must not stop PostgreSQL.
      if (error instanceof AlreadyOwned) launched = postmaster = null
      throw error
    }
    void lost.then(() => {
      isUp = false
      if (!stopped) void recover()
    })
  }

  /** Stops PostgreSQL if this process owns it, even while it starts. */
  function stop(): Promise<void> {
    stopped ??= postmaster ? stopPostmaster(postmaster, isUp ? 'fast' : 'immediate') : Promise.resolve()
    return stopped
  }

  function requireRunning(): void {
    if (stopped) throw new StartError('The database was stopped while it was starting')
  }

  async function reach(): Promise<pg.Client> {
    const began = performance.now()
    while (performance.now() - began < START_TIMEOUT_MS) {
      const answer = await tryConnect(installation)
      requireRunning()
      if (typeof answer === 'object') return answer
      if (answer === 'absent' && !(await launched?.isAlive())) await relaunch(began)
      await sleep(POLL_MS)
    }
    throw failure(`it was not ready within ${START_TIMEOUT_MS / 1_000} s`)
  }

  async function relaunch(began: number): Promise<void> {
    if (launched) {
      const reason = await launched.errorLine()
      const isPatient = LEFTOVER.test(reason) && performance.now() - began < LEFTOVER_PATIENCE_MS
      if (!isPatient) throw failure(reason)
      await sleep(RELAUNCH_MS)
    }
    const stranger = await findStranger(installation.paths)
    if (!stopped) postmaster = launched = launch(installation, settings, stranger)
  }

  function failure(reason: string): StartError {
    launched = null
    return new StartError(`PostgreSQL does not start: ${reason} (see ${installation.paths.log})`)
  }

  async function recover(): Promise<void> {
    log.warn('the database was lost; restarting it')
    let logged = ''
    for (let pauseMs = RECOVERY_FIRST_MS; !stopped; pauseMs = Math.min(pauseMs * 2, RECOVERY_MAX_MS)) {
      const problem = await open(true).then(
        () => null,
        (error: Error) => error.message,
      )
      if (problem === null) return
      if (problem !== logged && !stopped) log.warn(problem)
      logged = problem
      await sleep(pauseMs)
    }
  }

  return { open, stop }
}
