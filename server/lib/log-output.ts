import { writeSync } from 'node:fs'
import { Socket } from 'node:net'

/** The most bytes that wait for a reader, in addition to the system's buffer. */
const MAX_WAITING_BYTES = 1_048_576

/**
 * Writes lines without ever waiting for a reader or for free space. Drops and counts the lines that cannot be
 * written.
 */
export class LogOutput {
  #target: Socket | number | undefined
  readonly #noteOf: (dropped: number) => string
  #dropped = 0
  /** Whether the file ends within a line. */
  #isTorn = false

  /**
   * @param noteOf - Returns the line that says how many lines were dropped.
   * @param target - A pipe, socket or terminal, or the descriptor of a file; standard output by default.
   */
  constructor(noteOf: (dropped: number) => string, target?: Socket | number) {
    this.#noteOf = noteOf
    this.#target = target
  }

  /** @param line - Ends with a line feed. */
  write(line: string): void {
    const dropped = this.#dropped
    this.#dropped = 0
    if (dropped > 0) this.#put(this.#noteOf(dropped), dropped)
    this.#put(line, 1)
  }

  /** @param lines - The number of lines that are lost when the text cannot be written. */
  #put(text: string, lines: number): void {
    // Opens standard output here, because commands that print it wait for its reader.
    this.#target ??= standardOutput()
    const drop = () => {
      this.#dropped += lines
    }
    if (typeof this.#target === 'number') {
      if (!this.#append(this.#target, text)) drop()
    } else if (this.#target.writableLength > MAX_WAITING_BYTES) drop()
    else this.#target.write(text, error => error && drop())
  }

  #append(file: number, text: string): boolean {
    const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text)
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(file, bytes, written)
      this.#isTorn = false
      return true
    } catch {
      this.#isTorn ||= written > 0
      return false
    }
  }
}

/** Opens standard output. Node would wait for the reader of a terminal, such as after Ctrl-S. */
function standardOutput(): Socket | number {
  const { stdout } = process
  if (!(stdout instanceof Socket)) return 1
  const { _handle: handle } = stdout as { _handle?: { setBlocking?(isBlocking: boolean): void } }
  handle?.setBlocking?.(false)
  return stdout
}
