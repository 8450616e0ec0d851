import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '../../tests/support/chromium.ts'
import { Crowd } from '../../tests/support/crowd/crowd.ts'
import { endNodes, ServerNode } from '../../tests/support/node.ts'
import { type Part, percentile } from '../section.ts'
import { type PressFigures, play } from './session.ts'

/** The number of sessions without a crowd, and of sessions with a crowd. Each session takes 35 s. */
const RUNS = 3
const ROUNDS = 20
const CHANGES_PER_SECOND = 10
const THROTTLING = 6

export const part: Part = {
  async run([runs = `${RUNS}`, rounds = `${ROUNDS}`]) {
    const folder = await mkdtemp(join(tmpdir(), 'taps-press-'))
    const { executablePath, env } = await findChromium()
    const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env } })
    try {
      const { url } = await ServerNode.start({ DATA_DIR: folder })
      const alone: PressFigures[] = []
      const inCrowd: PressFigures[] = []
      while (alone.length < Number(runs)) {
        alone.push(await playOn(browser, url, Number(rounds)))
        const crowd = await Crowd.playSteadily(url, CHANGES_PER_SECOND)
        inCrowd.push(await playOn(browser, url, Number(rounds)))
        await crowd.leave()
      }
      return section(alone, inCrowd)
    } finally {
      await browser.close()
      await endNodes()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function playOn(browser: Browser, url: string, rounds: number): Promise<PressFigures> {
  const context = await browser.newContext({ baseURL: url, hasTouch: true })
  const result = await play(await context.newPage(), rounds, THROTTLING)
  await context.close()
  console.log(`  Start ${p95Of(result.starts)} ms, Stop ${p95Of(result.stops)} ms`)
  return result
}

function section(alone: readonly PressFigures[], inCrowd: readonly PressFigures[]) {
  const slowed = `core slowed by a factor of ${THROTTLING}`
  const figure = (press: 'starts' | 'stops', results: readonly PressFigures[], where: string) => ({
    name: `${press === 'starts' ? 'Start' : 'Stop'} to the frame that shows the press, ${where}, 95 %, ${slowed}, ms`,
    ours: results.map(result => p95Of(result[press])),
    goal: { atMost: 50 },
  })
  const crowd = `${CHANGES_PER_SECOND} changes per second`
  return {
    title: 'A press',
    figures: [
      figure('starts', alone, 'no other players'),
      figure('stops', alone, 'no other players'),
      figure('starts', inCrowd, crowd),
      figure('stops', inCrowd, crowd),
      {
        name: 'frames per second during a round',
        ours: inCrowd.map(({ running }) => running),
        goal: { atLeast: 60 },
      },
      {
        name: `frames per second during a round, ${slowed}`,
        ours: inCrowd.map(({ slowRunning }) => slowRunning),
      },
      {
        name: 'layout shift of the session, without answers to a press',
        ours: inCrowd.map(({ shift }) => shift),
        goal: { atMost: 0 },
      },
    ],
  }
}

const p95Of = (durations: readonly number[]) => percentile(durations, 0.95)
