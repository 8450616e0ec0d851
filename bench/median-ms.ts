import { median } from './series.ts'

/** What something takes in the middle of so many times, one after the other, in ms. */
export async function medianMs(times: number, act: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  while (took.length < times) {
    const began = performance.now()
    await act()
    took.push(performance.now() - began)
  }
  return median(took)
}
