import { ratios, type Series, show } from './series.ts'

/** Something else measured in the same run, to compare a figure with. */
export interface Other {
  readonly name: string
  readonly values: Series
}

/** One measurement and what it is compared with; each series has one value per run. */
export interface Figure {
  /** Its name with the unit: "rounds a second". */
  readonly name: string
  readonly ours: Series
  /** The target, in words: "≥ 10,000". */
  readonly wanted?: string
  readonly beside?: Other
}

/** The results of one part. */
export interface Section {
  readonly title: string
  readonly figures: readonly Figure[]
  /** Paragraphs of Markdown that belong to these figures. */
  readonly notes?: readonly string[]
}

/** One part of the bench. */
export interface Part {
  /** Measures; throws when anything acknowledged was lost, so that no figure is printed. */
  run(words: readonly string[]): Promise<Section>
}

const HEADINGS = ['', 'median (least – most)', 'wanted', 'beside', 'ratio']

/** A section in Markdown, ready to be copied to docs/benchmarks.md. */
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
