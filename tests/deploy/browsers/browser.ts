/** A laptop-sized tab of an installed browser. Input goes through the browser's own mouse and keyboard. */
export interface Browser {
  /** Opens a page, and waits until it has loaded. */
  open(url: string): Promise<void>
  evaluate<Value>(expression: string): Promise<Value>
  /** Presses the button with this name once it is enabled. */
  press(button: string): Promise<void>
  /** Replaces the text in the field with this name. */
  fill(field: string, text: string): Promise<void>
  close(): Promise<void>
}

/** The timeout of each step, long enough for a busy machine. */
export const PATIENCE_MS = 60_000

export const SIZE = { width: 1_280, height: 900 }
