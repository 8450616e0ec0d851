/** The values of several runs of one measurement, in order. */
export type Series = readonly number[]

/** One measurement; its series has one value per run. */
export interface Figure {
  /** Its name with the unit: "rounds a second". */
  readonly name: string
  readonly ours: Series
  /** The target, in words: "≥ 10,000". */
  readonly wanted?: string
}

/** The results of one part. */
export interface Section {
  readonly title: string
  readonly figures: readonly Figure[]
}

/** One part of the bench. */
export interface Part {
  /** Measures; throws when anything acknowledged was lost, so that no figure is printed. */
  run(words: readonly string[]): Promise<Section>
}

const HEADINGS = ['', 'median (least – most)', 'wanted']

/** A section in Markdown, ready to be copied to docs/benchmarks.md. */
export function toMarkdown({ title, figures }: Section, machine: string): string {
  const rows = figures.map(({ name, ours, wanted = '' }) => [name, `**${show(ours)}**`, wanted])
  const lines = [HEADINGS, HEADINGS.map(() => '---'), ...rows]
  return [`## ${title}`, lines.map(cells => `| ${cells.join(' | ')} |`).join('\n'), machine].join('\n\n')
}

/** The median; the mean of the two middle values when their number is even. */
export function median(series: Series): number {
  const sorted = series.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (lower + upper) / 2
}

/** "median (least – most)", with as many digits as are meaningful. */
function show(series: Series): string {
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
