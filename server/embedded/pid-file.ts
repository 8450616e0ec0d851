import { chown, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'
import type { Places } from './places.ts'
import { isThere, readPid } from './postmaster.ts'

/**
 * Frees a cluster whose postmaster.pid, left over from a crash, names a process that is some other program by
 * now: PostgreSQL would refuse to start for as long as that runs.
 *
 * The line gets our own number, which PostgreSQL knows to be no other server's. The rest stays: by it PostgreSQL
 * recognises memory that processes of the old server may still hold.
 */
export async function freePidFile(places: Places, { uid, gid }: Account): Promise<void> {
  const pid = await readPid(places)
  if (pid === null || !(await isStranger(pid, places.cluster))) return
  const file = join(places.cluster, 'postmaster.pid')
  const draft = `${file}.${process.pid}`
  const [, ...rest] = (await readFile(file, 'utf8')).split('\n')
  await writeFile(draft, [process.pid, ...rest].join('\n'), { mode: 0o600 })
  await chown(draft, uid, gid)
  if ((await readPid(places)) === pid) await rename(draft, file)
  else await rm(draft)
}

/**
 * True only when the process is there and surely not of this cluster, all of whose processes work in its folder.
 * Without /proc nothing is sure, and PostgreSQL's own refusal stands.
 */
async function isStranger(pid: number, cluster: string): Promise<boolean> {
  if (pid === process.pid || !isThere(pid)) return false
  return readlink(`/proc/${pid}/cwd`).then(
    folder => folder !== cluster,
    () => false,
  )
}
