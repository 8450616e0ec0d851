import { readFile } from 'node:fs/promises'
import { childrenOf } from '../tests/support/process.ts'

/** `sysconf(_SC_CLK_TCK)`: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100
/** Of what follows the name in `/proc/<pid>/stat`: utime and stime, and those of children that have ended. */
const TIMES = { from: 11, to: 15 }

/** What processes and their ended children have cost so far, in seconds of one core; 0 for one that is gone. */
export async function cpuSeconds(pids: readonly number[]): Promise<number> {
  const seconds = await Promise.all(pids.map(cpuSecondsOf))
  return seconds.reduce((sum, more) => sum + more, 0)
}

/** A process and all that it has started, such as PostgreSQL and its backends. */
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
