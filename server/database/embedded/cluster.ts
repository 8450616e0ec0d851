import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode, syncFolder } from '../../lib/files.ts'
import { StartError } from '../../lib/start-error.ts'
import { type Account, rightsHint, spawnAs } from './account.ts'
import type { Binaries } from './binaries.ts'
import { lastComplaint } from './complaint.ts'
import { type Paths, pathsOf, ROLE } from './paths.ts'

const PASSWORD_BYTES = 24
const DRAFT = /^postgres\.new-/

/**
 * Makes the cluster unless it is there. It is made aside and appears by one rename, password and all: a kill in
 * the middle leaves nothing half made, and of two first starts one wins.
 *
 * @throws StartError when it cannot be made, or is of another major version
 */
export async function makeCluster(paths: Paths, binaries: Binaries, account: Account): Promise<void> {
  if (!existsSync(paths.home)) await create(paths, binaries, account)
  const file = join(paths.cluster, 'PG_VERSION')
  const version = (await readFile(file, 'utf8').catch(error => unreadable(file, error))).trim()
  if (version === binaries.major) return
  throw new StartError(
    `The data in ${paths.home} is of PostgreSQL ${version}, but this release brings ${binaries.major}: ` +
      `go back to the release that made it, or set DATA_DIR to a new folder`,
  )
}

function unreadable(file: string, error: unknown): never {
  throw new StartError(`Cannot read ${file} (${errorCode(error)}): start as the user who owns it`, {
    cause: error,
  })
}

/** Deletes what starts that were killed while making a cluster left behind. For the owner of the folder only. */
export async function sweepDrafts({ home }: Paths): Promise<void> {
  const dataDir = dirname(home)
  for (const name of await readdir(dataDir)) {
    // A start beside ours that came too late may still write into its own: that is for the next one to sweep.
    if (DRAFT.test(name))
      await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

async function create({ home }: Paths, binaries: Binaries, account: Account): Promise<void> {
  const dataDir = dirname(home)
  const draft = pathsOf(`${home}.new-${randomUUID()}`)
  try {
    await mkdir(draft.home, { mode: 0o700 })
    await writeFile(draft.password, `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`, { mode: 0o600 })
    if (account.uid !== process.geteuid?.()) await hand(dataDir, [draft.home, draft.password], account)
    await initialise(draft, binaries, account)
    await syncFolder(draft.home)
    await rename(draft.home, home)
    await syncFolder(dataDir)
  } catch (error) {
    await rm(draft.home, { recursive: true, force: true })
    // Another start was faster, and may even have swept our draft away.
    if (existsSync(home)) return
    if (error instanceof StartError) throw error
    throw new StartError(`Cannot make a database in ${dataDir} (${errorCode(error)})`, {
      cause: error,
    })
  }
}

/** Lets another account own its files and reach them, and nothing else in the data folder. */
async function hand(dataDir: string, paths: readonly string[], { uid, gid }: Account): Promise<void> {
  await chmod(dataDir, 0o711)
  for (const path of paths) await chown(path, uid, gid)
}

/** Runs initdb, which also writes everything through to the disk. */
async function initialise(draft: Paths, { initdb }: Binaries, account: Account): Promise<void> {
  const options = [
    `--pgdata=${draft.cluster}`,
    `--username=${ROLE}`,
    `--pwfile=${draft.password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ]
  const child = spawnAs(account, initdb, options, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  // Rejects when the program cannot be run at all.
  const [code] = await once(child, 'close')
  if (code === 0) return
  const complaint = lastComplaint(output)
  throw new StartError(
    `Cannot make a database in ${draft.home}: ${complaint}${rightsHint(account, complaint)}`,
  )
}
