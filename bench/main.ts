import { loadavg } from 'node:os'
import { describeMachine } from './machine.ts'
import { type Part, toMarkdown } from './section.ts'

/** The parts, in the order in which `npm run bench` measures them. */
const PARTS: Readonly<Record<string, () => Promise<{ part: Part }>>> = {
  page: () => import('./page/part.ts'),
  press: () => import('./press/part.ts'),
  rounds: () => import('./rounds/part.ts'),
  live: () => import('./live/part.ts'),
  locks: () => import('./locks/part.ts'),
  start: () => import('./start/part.ts'),
  attack: () => import('./attack/part.ts'),
}

/** Measures one part and prints its figures, unless something was wrong with them. */
async function measure(name: string, words: readonly string[]): Promise<void> {
  const load = PARTS[name]
  if (!load) throw new Error(`No part is called ${name}: there are ${Object.keys(PARTS).join(', ')}`)
  console.log(`\n== ${name}`)
  const [loadBefore = 0] = loadavg()
  const { part } = await load()
  const section = await part.run(words)
  console.log(`\n${toMarkdown(section, await describeMachine(loadBefore))}`)
}

/** Measures the parts asked for. One that fails says so and does not stop the others. */
async function main(): Promise<void> {
  const [asked = 'all', ...words] = process.argv.slice(2)
  for (const name of asked === 'all' ? Object.keys(PARTS) : [asked]) {
    try {
      await measure(name, words)
    } catch (error) {
      console.error(`\nNO FIGURES for ${name}:`, error)
      process.exitCode = 1
    }
  }
}

await main()
