import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { Crowd } from '../../e2e/busy-stream.ts'
import { findChromium } from '../../e2e/chromium.ts'
import { endNodes, ServerNode } from '../../faults/node.ts'
import type { Part } from '../section.ts'
import { percentile } from '../series.ts'
import { type Feel, play } from './session.ts'

const RUNS = 3
const ROUNDS = 20
/** As many as the page is written to in a second at most. */
const CHANGES_PER_SECOND = 10
const THROTTLING = 6

export const part: Part = {
  async run([runs = `${RUNS}`, rounds = `${ROUNDS}`]) {
    const folder = await mkdtemp(join(tmpdir(), 'taps-feel-'))
    const { executablePath, env } = await findChromium()
    const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env } })
    try {
      const { url } = await ServerNode.start({ DATA_DIR: folder })
      const feels: Feel[] = []
      while (feels.length < Number(runs)) feels.push(await playInCrowd(browser, url, Number(rounds)))
      return section(feels)
    } finally {
      await browser.close()
      await endNodes()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function playInCrowd(browser: Browser, url: string, rounds: number): Promise<Feel> {
  const crowd = await Crowd.gather(url, CHANGES_PER_SECOND)
  const context = await browser.newContext({ baseURL: url, hasTouch: true })
  const feel = await play(await context.newPage(), rounds, THROTTLING)
  await context.close()
  await crowd.leave()
  return feel
}

function section(feels: readonly Feel[]) {
  const late = (presses: readonly number[]) =>
    percentile(
      presses.toSorted((a, b) => a - b),
      0.95,
    )
  const slowed = `core slowed ${THROTTLING}×`
  return {
    title: 'The feel',
    figures: [
      {
        name: `Start to the frame that shows it, 95 %, ${slowed}, ms`,
        ours: feels.map(({ starts }) => late(starts)),
        wanted: '≤ 50',
      },
      {
        name: `Stop to the frame that shows it, 95 %, ${slowed}, ms`,
        ours: feels.map(({ stops }) => late(stops)),
        wanted: '≤ 50',
      },
      { name: 'frames a second while a round runs', ours: feels.map(({ running }) => running), wanted: '60' },
      {
        name: `frames a second while a round runs, ${slowed}`,
        ours: feels.map(({ slowRunning }) => slowRunning),
      },
      { name: 'layout shift of the session', ours: feels.map(({ shift }) => shift), wanted: '0' },
    ],
    notes: [
      `Each run is one session of ${feels[0]?.starts.length} rounds at 390 × 844 px in a headless Chromium, while ${CHANGES_PER_SECOND} changes a second arrive over the live stream. A press is a finger that stays down for 80 ms, by the browser's own input events; until the frame is what the browser itself reports of it (Event Timing, which counts in steps of 8 ms from 16 on: what is faster is given as 16). \`npm test\` plays such a session too and asserts that nothing shifts.`,
    ],
  }
}
