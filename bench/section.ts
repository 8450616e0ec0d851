import { ratios, type Series, show } from './series.ts'

/** Something else measured in the same run, to compare a figure with. */
export interface Other {
  readonly name: string
  readonly values: Series
}

/** One thing that was measured, with what it is compared with; each series has one value per run. */
export interface Figure {
  /** What it is, with its unit: "rounds a second". */
  readonly name: string
  readonly ours: Series
  /** What we want of it, in words: "≥ 10,000". */
  readonly wanted?: string
  readonly beside?: Other
}

/** What one part of the bench has to say. */
export interface Section {
  readonly title: string
  readonly figures: readonly Figure[]
  /** What belongs to these very figures: paragraphs of Markdown. */
  readonly notes?: readonly string[]
}

/** One part of the bench. */
export interface Part {
  /** Measures; throws when anything that was acknowledged is lost, so that no figure is printed. */
  run(words: readonly string[]): Promise<Section>
}

const HEADINGS = ['', 'median (least – most)', 'wanted', 'beside', 'ratio']

/** A section in Markdown, as it can be copied to docs/benchmarks.md. */
export function toMarkdown({ title, figures, notes = [] }: Section, machine: string): string {
  return [`## ${title}`, toTable(figures), machine, ...notes].join('\n\n')
}

function toTable(figures: readonly Figure[]): string {
  const lines = [HEADINGS, HEADINGS.map(() => '---'), ...figures.map(toCells)]
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function toCells({ name, ours, wanted = '', beside }: Figure): string[] {
  const compared = beside
    ? [`${beside.name}: ${show(beside.values)}`, show(ratios(ours, beside.values))]
    : ['', '']
  return [name, `**${show(ours)}**`, wanted, ...compared]
}
