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

/** The child processes of a process; none for 0. */
export async function childrenOf(parent: number): Promise<number[]> {
  if (parent === 0) return []
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(pids.map(parentOf))
  return pids.filter((_, place) => parents[place] === parent)
}

/** `/proc/<pid>/stat` is "pid (name) state parent …"; the name may contain anything. */
async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}
