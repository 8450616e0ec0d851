import { readFile } from 'node:fs/promises'

/** The memory of a process, in MB. */
export async function memoryOf(pid: number): Promise<{ nowMb: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return { nowMb: Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024) }
}
