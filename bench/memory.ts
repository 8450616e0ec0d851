import { readFile } from 'node:fs/promises'

/** What a process has in memory now, as the system counts it, in bytes; 0 for one that is gone. */
export async function residentBytes(pid: number): Promise<number> {
  return sizeIn(`/proc/${pid}/status`, 'VmRSS')
}

/** What processes have in memory together: what several of them share counts once. In bytes. */
export function sharedOutBytes(pids: readonly number[]): Promise<number> {
  return sum(pids, 'Pss')
}

async function sum(pids: readonly number[], name: string): Promise<number> {
  const sizes = await Promise.all(pids.map(pid => sizeIn(`/proc/${pid}/smaps_rollup`, name)))
  return sizes.reduce((total, size) => total + size, 0)
}

async function sizeIn(file: string, name: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1_024
}
