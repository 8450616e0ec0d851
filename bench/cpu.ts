import { readFile } from 'node:fs/promises'
import { childrenOf } from '../tests/support/process.ts'

/** `sysconf(_SC_CLK_TCK)`: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100
/** The fields after the name in `/proc/<pid>/stat`: utime, stime, and those of children that have ended. */
const TIMES = { from: 11, to: 15 }

/** The processor time of these processes and their ended children, in seconds; 0 for a process that is gone. */
export async function cpuSeconds(pids: readonly number[]): Promise<number> {
  const seconds = await Promise.all(pids.map(cpuSecondsOf))
  return seconds.reduce((sum, more) => sum + more, 0)
}

/** A process and all its descendants, such as PostgreSQL and its backends. */
export async function familyOf(pid: number): Promise<number[]> {
  const children = await childrenOf(pid)
  return [pid, ...(await Promise.all(children.map(familyOf))).flat()]
}

async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(TIMES.from, TIMES.to).reduce((sum, field) => sum + Number(field), 0)
  return ticks / TICKS_PER_SECOND
}
