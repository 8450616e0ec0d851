import { RoundsStage } from '../rounds/stage.ts'
import type { Part } from '../section.ts'
import { floodFigures } from './floods.ts'
import { shareFigures } from './shares.ts'

export const part: Part = {
  async run() {
    const stage = await RoundsStage.open()
    try {
      return {
        title: 'While one client goes far beyond its limits',
        figures: [...(await floodFigures(stage)), ...(await shareFigures(stage))],
      }
    } finally {
      await stage.close()
    }
  },
}
