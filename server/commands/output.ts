import { errorCode } from '../lib/errors.ts'
import { escapeControlChars } from '../log.ts'

export interface Outcome {
  /** Whether every check passed. */
  readonly ok: boolean
  readonly lines: readonly string[]
  /** Whether the lines are rows for a spreadsheet. */
  readonly isCsv?: boolean
}

/** Marks a file as UTF-8; without it, Excel reads names in the system's older encoding. */
const BYTE_ORDER_MARK = '\ufeff'

/**
 * Lets a command do all its work when its output cannot be written. A reader that goes away, such as `head`, is no
 * failure; any other error is, with one line and the exit code 1.
 */
export function tolerateLostOutput(): void {
  const { stderr, stdout } = process
  stdout.once('error', error => {
    if (isBroken(error)) printNote(`The output could not be written (${error.message})`)
  })
  stderr.once('error', isBroken)
  // A stream may report its error again at each write.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined)
}

/** Sets the exit code, unless only the reader has gone away. */
function isBroken(error: Error): boolean {
  if (errorCode(error) === 'EPIPE') return false
  process.exitCode = 1
  return true
}

export function printResult({ lines, isCsv = false }: Outcome): void {
  process.stdout.write((isCsv ? BYTE_ORDER_MARK : '') + lines.map(toLine).join(''))
}

/** Prints a line that accompanies the result, such as an error, on standard error. */
export function printNote(line: string): void {
  process.stderr.write(toLine(line))
}

/** Escapes control characters, because names and answers of the database could change what a terminal shows. */
function toLine(line: string): string {
  // Tabs separate columns.
  const escaped = line.replace(/(?!\t)\p{Cc}/gu, character => JSON.stringify(character).slice(1, -1))
  return `${escapeControlChars(escaped)}\n`
}
