import { rm } from 'node:fs/promises'
import { endNodes } from '../../tests/support/node.ts'
import { connectionOf, newDataDir } from '../../tests/support/shared-postgres.ts'
import { requireAll } from '../rounds/audit.ts'
import type { Figure, Part } from '../section.ts'
import { CROWD, MEASURES, type Measure, SoakStage, type Window } from './stage.ts'
import { isFlat, trendOf } from './trend.ts'

const MINUTES = 10
const WINDOW_S = 15
/** A heap finds its size, and a database fills its caches, before anything can be said about either. */
const WARM_UP = 0.3

const KEYS = Object.keys(MEASURES) as Measure[]

export const part: Part = {
  async run([minutes = `${MINUTES}`]) {
    const count = Math.max(6, Math.round((Number(minutes) * 60) / WINDOW_S))
    const dataDir = await newDataDir()
    const stage = await SoakStage.open(dataDir)
    try {
      const windows: Window[] = []
      while (windows.length < count) {
        const window = await stage.pass(WINDOW_S)
        windows.push(window)
        console.log(
          `  ${windows.length}/${count} ${KEYS.map(key => `${key} ${window[key].toFixed(1)}`).join(', ')}`,
        )
      }
      await requireAll(await connectionOf(dataDir), stage.acknowledged)
      return section(windows.slice(Math.floor(count * WARM_UP)), Number(minutes), stage.acknowledged.length)
    } finally {
      await stage.close()
      await endNodes()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

/** @throws Error when something rises that should be flat */
function section(windows: readonly Window[], minutes: number, acknowledged: number) {
  const series = (key: Measure) => windows.map(window => window[key])
  const rising = KEYS.filter(key => !isFlat(trendOf(series(key))))
  if (rising.length > 0) throw new Error(`It rises: ${rising.map(key => MEASURES[key]).join(', ')}`)
  return {
    title: 'Soak',
    figures: KEYS.flatMap((key): Figure[] => {
      const { share, certainty } = trendOf(series(key))
      return [
        { name: MEASURES[key], ours: series(key) },
        {
          name: `… its rise from the first to the last, % (${certainty.toFixed(1)} standard errors)`,
          ours: [share * 100],
        },
      ]
    }),
    notes: [
      `${minutes} minutes, of which the first ${WARM_UP * 100} % are not looked at: ${CROWD} (every ${WINDOW_S} s).
${acknowledged} attempts were acknowledged, and all are in the table. Something rises when the straight line through its
values does, by more than four standard errors and by more than a tenth; then there are no figures.`,
    ],
  }
}
