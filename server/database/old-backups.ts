import { readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { draftOf, openBackup, writtenAt } from './backup.ts'

/** What became of old backups, by folder. */
interface Cleared {
  readonly removed: readonly string[]
  /** They would have been removed, but hold something else than what was written. */
  readonly kept: readonly string[]
}

/**
 * Removes the oldest backups of a game beside its newest one. Nothing else is ever removed: no other game's backup, none
 * that is not whole, none with a file more.
 *
 * @param newest the folder of the newest
 * @param secret the game's, by which its backups are known
 * @param keep how many stay, the newest one among them; from 1 on
 * @throws StartError when the folders cannot be read, or one cannot be removed
 */
export async function removeOldBackups(newest: string, secret: string, keep: number): Promise<Cleared> {
  try {
    const others = (await backupsIn(dirname(newest), secret)).filter(folder => folder !== newest)
    const removed: string[] = []
    const kept: string[] = []
    for (const folder of others.slice(keep - 1)) {
      const whole = await isWhole(folder)
      if (whole) await remove(folder)
      const list = whole ? removed : kept
      list.push(folder)
    }
    return { removed, kept }
  } catch (error) {
    throw new StartError(
      `The backup is in ${newest}, but older ones cannot be removed (${errorCode(error)})`,
      {
        cause: error,
      },
    )
  }
}

/** Newest first. */
async function backupsIn(place: string, secret: string): Promise<string[]> {
  const found: { folder: string; at: number }[] = []
  for (const entry of await readdir(place, { withFileTypes: true })) {
    const folder = join(place, entry.name)
    const at = entry.isDirectory() ? await writtenAt(folder, secret) : null
    if (at) found.push({ folder, at: at.getTime() })
  }
  return found.sort((one, other) => other.at - one.at).map(({ folder }) => folder)
}

function isWhole(folder: string): Promise<boolean> {
  return openBackup(folder).then(
    () => true,
    error => {
      if (error instanceof StartError) return false
      throw error
    },
  )
}

/** Under its own name it is never there in part. */
async function remove(folder: string): Promise<void> {
  const draft = draftOf(folder)
  await rename(folder, draft)
  await rm(draft, { recursive: true })
}
