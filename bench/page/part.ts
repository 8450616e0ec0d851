import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endNodes, ServerNode } from '../../tests/support/node.ts'
import type { Part } from '../section.ts'
import { audit, installLighthouse, type Report } from './lighthouse.ts'

const RUNS = 5

export const part: Part = {
  async run([runs = `${RUNS}`]) {
    await installLighthouse()
    const folder = await mkdtemp(join(tmpdir(), 'taps-page-'))
    try {
      const { url } = await ServerNode.start({ DATA_DIR: folder })
      const reports: Report[] = []
      while (reports.length < Number(runs)) reports.push(await audit(url))
      return section(reports)
    } finally {
      await endNodes()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

function section(reports: readonly Report[]) {
  const score = (name: string) =>
    reports.map(({ categories }) => Math.round((categories[name]?.score ?? 0) * 100))
  const value = (name: string) => reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN)
  return {
    title: 'The page, by Lighthouse',
    figures: [
      { name: 'performance', ours: score('performance'), goal: { atLeast: 95 } },
      { name: 'accessibility', ours: score('accessibility'), goal: { atLeast: 100 } },
      { name: 'best practices', ours: score('best-practices'), goal: { atLeast: 100 } },
      { name: 'SEO', ours: score('seo'), goal: { atLeast: 100 } },
      { name: 'first contentful paint, s', ours: value('first-contentful-paint').map(toSeconds) },
      {
        name: 'largest contentful paint, s',
        ours: value('largest-contentful-paint').map(toSeconds),
        goal: { atMost: 1.5 },
      },
      { name: 'total blocking time, ms', ours: value('total-blocking-time'), goal: { atMost: 50 } },
      { name: 'cumulative layout shift', ours: value('cumulative-layout-shift'), goal: { atMost: 0 } },
      { name: 'bytes over the network, KB', ours: value('total-byte-weight').map(bytes => bytes / 1_000) },
    ],
  }
}

function toSeconds(ms: number): number {
  return ms / 1_000
}
