/** How far measured intervals are from the truth, in ms. */
export interface Errors {
  readonly rounds: number
  readonly median: number
  readonly p99: number
  readonly max: number
}

/** Of absolute errors in ms; the 99th percentile by nearest rank. */
export function summarise(errorsMs: readonly number[]): Errors {
  const sorted = errorsMs.map(Math.abs).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
  return { rounds: sorted.length, median: at(0.5), p99: at(0.99), max: at(1) }
}

/** One row per subject, one column per condition, as a table in Markdown. */
export class ErrorTable {
  readonly #cells = new Map<string, Errors>()
  readonly #rows = new Set<string>()
  readonly #columns = new Set<string>()

  set(row: string, column: string, errors: Errors): void {
    this.#rows.add(row)
    this.#columns.add(column)
    this.#cells.set(`${row} ${column}`, errors)
  }

  toString(): string {
    const columns = [...this.#columns]
    const lines = Array.from(this.#rows, row => [row, ...columns.map(column => this.#cell(row, column))])
    return [['median / p99 / max, ms', ...columns], ['---', ...columns.map(() => '---')], ...lines]
      .map(cells => `| ${cells.join(' | ')} |`)
      .join('\n')
  }

  #cell(row: string, column: string): string {
    const errors = this.#cells.get(`${row} ${column}`)
    if (errors === undefined) return '—'
    return [errors.median, errors.p99, errors.max].map(ms => ms.toFixed(ms < 10 ? 2 : 0)).join(' / ')
  }
}
