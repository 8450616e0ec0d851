/** The values of several runs of one measurement, in order. */
export type Series = readonly number[]

/** The median; the mean of the two middle values when their number is even. */
export function median(series: Series): number {
  const sorted = series.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (lower + upper) / 2
}

/**
 * How one subject compares with another, run by run: a busy machine slows both runs of a pair alike, so their ratio is
 * steadier than either.
 */
export function ratios(series: Series, other: Series): Series {
  if (series.length !== other.length) throw new Error('Only as many runs as there are can be compared')
  return series.map((value, run) => value / (other[run] ?? Number.NaN))
}

/** "median (least – most)", with as many digits as are meaningful. */
export function show(series: Series): string {
  const [least, most] = [Math.min(...series), Math.max(...series)]
  if (series.length === 1) return digits(least)
  return `${digits(median(series))} (${digits(least)} – ${digits(most)})`
}

function digits(value: number): string {
  if (!Number.isFinite(value)) return '—'
  const size = Math.abs(value)
  const maximumFractionDigits = size >= 100 ? 0 : size >= 10 ? 1 : 2
  return value.toLocaleString('en-GB', { maximumFractionDigits })
}
