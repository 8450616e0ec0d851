import type { Part } from '../section.ts'

export const part: Part = {
  async run() {
    return { title: 'Rounds', figures: [], notes: [] }
  },
}
