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
  /** The best that could be had on this machine, without doing the work. */
  readonly limit?: Other
  /** Others who do the work. */
  readonly peers?: readonly Other[]
}

/** What one part of the bench has to say. */
export interface Section {
  readonly title: string
  readonly figures: readonly Figure[]
  /** How it was measured, what is compared, what is not shown: paragraphs of Markdown. */
  readonly notes: readonly string[]
}

/** One part of the bench. */
export interface Part {
  /** Measures; throws when anything that was acknowledged is lost, so that no figure is printed. */
  run(words: readonly string[]): Promise<Section>
}

const HEADINGS = ['', 'TAPS', 'wanted', 'limit', 'ratio', 'peer', 'ratio']

/** The table of a section in Markdown. */
export function toTable(figures: readonly Figure[]): string {
  const lines = [HEADINGS, HEADINGS.map(() => '---'), ...figures.flatMap(toLines)]
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

/** One line for the figure, and one more for every peer after the first. */
function toLines({ name, ours, wanted = '', limit, peers = [] }: Figure): string[][] {
  const [first, ...more] = peers
  const line = [name, `**${show(ours)}**`, wanted, ...compare(ours, limit), ...compare(ours, first)]
  return [line, ...more.map(peer => ['', '', '', '', '', ...compare(ours, peer)])]
}

function compare(ours: Series, other: Other | undefined): [string, string] {
  if (!other) return ['', '']
  return [`${other.name}: ${show(other.values)}`, show(ratios(ours, other.values))]
}
