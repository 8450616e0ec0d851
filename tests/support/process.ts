import { readdir, readFile } from 'node:fs/promises'

/** The memory of a process, now and at most, in MB. */
export async function memoryOf(pid: number): Promise<{ nowMb: number; mostMb: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const figure = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024
  return { nowMb: Math.round(figure('VmRSS')), mostMb: Math.round(figure('VmHWM')) }
}

/** How many files and connections a process has open. */
export async function openFilesOf(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length
}
