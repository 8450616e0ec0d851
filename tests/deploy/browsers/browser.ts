/** A tab of an installed browser at the size of a laptop, with the browser's own mouse and keyboard input. */
export interface Browser {
  /** Opens a page, and waits until it has loaded. */
  open(url: string): Promise<void>
  evaluate<Value>(expression: string): Promise<Value>
  /** Waits for an enabled button of this name, and presses the button. */
  press(button: string): Promise<void>
  /** Replaces the text in the field of this name. */
  fill(field: string, text: string): Promise<void>
  close(): Promise<void>
}

/** The timeout of each step; a busy machine may be slow. */
export const PATIENCE_MS = 60_000

export const SIZE = { width: 1_280, height: 900 }
