import type { Part } from '../section.ts'
import { onStage } from '../stage.ts'
import { floodFigures } from './floods.ts'
import { shareFigures } from './shares.ts'

export const part: Part = {
  run: () =>
    onStage(async postgres => ({
      title: 'While one client goes far beyond its limits',
      figures: [...(await floodFigures(postgres)), ...(await shareFigures(postgres))],
    })),
}
