import { mkdir, writeFile } from 'node:fs/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { type GameServer, startServer } from '../../browser/server.ts'
import { programPath } from '../programs.ts'
import { openFirefox } from './firefox.ts'
import { Visitor } from './visitor.ts'
import { openWebKit } from './webkit.ts'
import type { Program, Wishes } from './window.ts'

/** Where a scene that fails leaves what was seen. */
const PICTURES = 'screenshots/browsers'

/** What a scene is played with. */
export interface Stage {
  readonly server: GameServer
  /** Somebody who has opened the page in a browser of their own. */
  readonly visitor: Visitor
  /** Another tab of that browser, with the page open. */
  readonly nextTab: () => Promise<Visitor>
}

type Play = (stage: Stage) => Promise<void>

interface Scene {
  readonly title: string
  readonly play: Play
  readonly wishes: Wishes
}

interface Kind {
  readonly name: string
  readonly open: (wishes: Wishes) => Promise<Program>
}

const ORDINARY: Wishes = { reducedMotion: false }

/** A scene with what its person has told their system. */
export const scene = (title: string, play: Play, wishes = ORDINARY): Scene => ({ title, play, wishes })

/** Plays each scene in each browser. */
export function playEverywhere(scenes: readonly Scene[]): void {
  for (const { name, open } of kinds()) {
    describe(name, () => {
      /** A browser takes seconds to start: one for all with the same wishes. */
      const programs = new Map<Wishes, Program>()
      afterAll(() => Promise.all(Array.from(programs.values(), program => program.close())))
      for (const { title, play, wishes } of scenes) {
        test(title, async () => {
          const program = programs.get(wishes) ?? (await open(wishes))
          programs.set(wishes, program)
          await playScene(`${name} ${title}`, program, play)
        })
      }
    })
  }
}

/** Plays a scene on a server and a database of its own, whose ledger is checked in the end, as is what each page noted. */
async function playScene(name: string, program: Program, play: Play): Promise<void> {
  const server = await startServer()
  const window = await program.openWindow()
  const visitors: Visitor[] = []
  const nextTab = async () => {
    const visitor = new Visitor(await window.openTab())
    visitors.push(visitor)
    await visitor.open(server.url)
    await visitor.isReady()
    return visitor
  }
  try {
    await play({ server, visitor: await nextTab(), nextTab })
    for (const visitor of visitors) expect(await visitor.faults(), 'what went wrong in the page').toEqual([])
    await server.audit()
  } catch (error) {
    await mkdir(PICTURES, { recursive: true })
    const pictures = await Promise.all(visitors.map(({ tab }) => tab.picture()))
    for (const [index, picture] of pictures.entries())
      await writeFile(`${PICTURES}/${name} ${index + 1}.png`, picture)
    throw error
  } finally {
    await window.close()
    await server.stop()
  }
}

/** Those that `BROWSERS` names: `npm run test:deploy` names what is installed. */
function kinds(): Kind[] {
  const { BROWSERS = 'Firefox,WebKit' } = process.env
  const all: readonly Kind[] = [
    { name: 'Firefox', open: wishes => openFirefox(programPath('firefox-esr'), wishes) },
    {
      name: 'WebKit',
      open: wishes => openWebKit(programPath('WebKitWebDriver'), programPath('Xvfb'), wishes),
    },
  ]
  return all.filter(({ name }) => BROWSERS.split(',').includes(name))
}
