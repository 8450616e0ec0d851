/** The values of several runs of one measurement. */
export type Series = readonly number[]

export interface Figure {
  /** The name and the unit, such as "rounds per second". */
  readonly name: string
  readonly ours: Series
  readonly goal?: Goal | undefined
}

/** A limit on the median. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number }

export interface Section {
  readonly title: string
  readonly figures: readonly Figure[]
}

export interface Part {
  /** @throws Error when an acknowledged attempt is lost, so that no figures are printed */
  run(argv: readonly string[]): Promise<Section>
}

const HEADINGS = ['', 'median (least – most)', 'goal']

/** Formats a section for docs/benchmarks.md. */
export function toMarkdown({ title, figures }: Section, machine: string): string {
  const rows = figures.map(({ name, ours, goal }) => [
    name,
    `**${show(ours)}**`,
    goal ? judge(goal, ours) : '',
  ])
  const lines = [HEADINGS, HEADINGS.map(() => '---'), ...rows]
  return [`## ${title}`, lines.map(cells => `| ${cells.join(' | ')} |`).join('\n'), machine].join('\n\n')
}

/** Formats a goal, with "missed" when the median misses the goal. */
function judge(goal: Goal, series: Series): string {
  const [text, isMet] =
    'atMost' in goal
      ? [`≤ ${digits(goal.atMost)}`, median(series) <= goal.atMost]
      : [`≥ ${digits(goal.atLeast)}`, median(series) >= goal.atLeast]
  return isMet ? text : `${text}, **missed**`
}

export function median(series: Series): number {
  const sorted = series.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (lower + upper) / 2
}

/** Divides two series run by run, because what affects a run of one also affects that run of the other. */
export function ratios(series: Series, base: Series): Series {
  return series.map((value, run) => value / (base[run] ?? Number.NaN))
}

/** Returns the value at this share of the sorted values; NaN when there are none. */
export function percentile(values: Series, share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
}

/** Formats a series as "median (least – most)", with meaningful digits only. */
function show(series: Series): string {
  const [least, most] = [Math.min(...series), Math.max(...series)]
  if (series.length === 1) return digits(least)
  return `${digits(median(series))} (${digits(least)} – ${digits(most)})`
}

function digits(value: number): string {
  if (!Number.isFinite(value)) return '—'
  const size = Math.abs(value)
  if (size < 1) return value.toLocaleString('en-GB', { maximumSignificantDigits: 2 })
  const maximumFractionDigits = size >= 100 ? 0 : size >= 10 ? 1 : 2
  return value.toLocaleString('en-GB', { maximumFractionDigits })
}
