import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '../../tests/support/chromium.ts'
import { Crowd } from '../../tests/support/crowd/crowd.ts'
import { endNodes, ServerNode } from '../../tests/support/node.ts'
import { type Part, percentile, ratios } from '../section.ts'
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
  const [starts, stops] = [p95s(alone, 'starts'), p95s(alone, 'stops')]
  const inTheCrowd = `with ${CHANGES_PER_SECOND} changes per second, as a multiple`
  const slowFrames = inCrowd.map(({ slowRunning }) => slowRunning)
  const frames = inCrowd.map(({ running }) => running)
  return {
    title: `A press, on a core slowed by a factor of ${THROTTLING}`,
    figures: [
      { name: 'Start to the frame that shows the press, 95 %, ms', ours: starts, goal: { atMost: 50 } },
      { name: 'Stop to the frame that shows the press, 95 %, ms', ours: stops, goal: { atMost: 50 } },
      { name: `Start ${inTheCrowd}`, ours: ratios(p95s(inCrowd, 'starts'), starts) },
      { name: `Stop ${inTheCrowd}`, ours: ratios(p95s(inCrowd, 'stops'), stops) },
      { name: 'frames per second during a round, at full speed', ours: frames, goal: { atLeast: 60 } },
      { name: '… on the slowed core, as a share', ours: ratios(slowFrames, frames) },
      {
        name: 'layout shift of the session, without answers to a press',
        ours: inCrowd.map(({ shift }) => shift),
        goal: { atMost: 0 },
      },
    ],
  }
}

const p95s = (sessions: readonly PressFigures[], press: 'starts' | 'stops') =>
  sessions.map(session => p95Of(session[press]))

const p95Of = (durations: readonly number[]) => percentile(durations, 0.95)
