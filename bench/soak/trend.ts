import type { Series } from '../series.ts'

/** How a figure went while nothing else changed. */
export interface Trend {
  /** What it rose by from the first value to the last, by the straight line that fits best. */
  readonly rise: number
  /** The rise as a share of the middle. */
  readonly share: number
  /** By how many standard errors the slope differs from none. */
  readonly certainty: number
}

/** A rise is one when it is more than noise, and more than a tenth of what there is. */
const CERTAIN = 4
const NOTABLE = 0.1

/** Fits a straight line through values at equal distances (least squares); at least three of them. */
export function trendOf(values: Series): Trend {
  const count = values.length
  const middle = (count - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const spread = values.reduce((sum, _, place) => sum + (place - middle) ** 2, 0)
  const slope = values.reduce((sum, value, place) => sum + (place - middle) * (value - mean), 0) / spread
  const residual = values.reduce(
    (sum, value, place) => sum + (value - mean - slope * (place - middle)) ** 2,
    0,
  )
  const error = Math.sqrt(residual / Math.max(1, count - 2) / spread)
  const rise = slope * (count - 1)
  return { rise, share: rise / mean, certainty: error === 0 ? 0 : slope / error }
}

/** False when it surely rises, and by more than a little. */
export function isFlat({ share, certainty }: Trend): boolean {
  return certainty < CERTAIN || share < NOTABLE
}
