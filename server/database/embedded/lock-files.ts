import { chown, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../lib/files.ts'
import type { Installation } from './installation.ts'
import { SOCKET_PORT } from './paths.ts'
import { isThere, lockHolder } from './postmaster.ts'

/**
 * Frees a cluster whose lock files, left over from a crash, name a dead process or, by now, some other program:
 * PostgreSQL would refuse to start for as long as that is there.
 *
 * The line gets our own number, which PostgreSQL knows to be no other server's. The rest stays: by it PostgreSQL
 * recognises memory that processes of the old server may still hold.
 */
export async function freeLockFiles({ paths, account, socket }: Installation): Promise<void> {
  const files = [join(paths.cluster, 'postmaster.pid'), join(socket, `.s.PGSQL.${SOCKET_PORT}.lock`)]
  for (const file of files) {
    const pid = await lockHolder(file)
    if (pid === null || !(await isStranger(pid, paths.cluster))) continue
    const draft = `${file}.${process.pid}`
    const [, ...rest] = (await readFile(file, 'utf8')).split('\n')
    await writeFile(draft, [process.pid, ...rest].join('\n'), { mode: 0o600 })
    await chown(draft, account.uid, account.gid)
    if ((await lockHolder(file)) === pid) await rename(draft, file)
    else await rm(draft)
  }
}

/**
 * True only when the number is surely not one of this cluster's processes, all of which work in its folder; also
 * for a dead one that nobody has waited for, which has no folder any more (an orphan in a container stays so for
 * ever). Without /proc nothing is sure, and PostgreSQL's own refusal stands.
 */
async function isStranger(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux' || pid === process.pid || !isThere(pid)) return false
  return readlink(`/proc/${pid}/cwd`).then(
    folder => folder !== cluster,
    error => errorCode(error) === 'ENOENT',
  )
}
