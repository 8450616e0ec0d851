import { readFile } from 'node:fs/promises'

/** What a process has in memory now, as the system counts it, in bytes; 0 for one that is gone. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024
}
