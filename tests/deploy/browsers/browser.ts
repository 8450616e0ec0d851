/** A tab of a browser that is installed here, at the size of a laptop, with the browser's own mouse and keys. */
export interface Browser {
  /** Resolves once the page is loaded. */
  open(url: string): Promise<void>
  /** The value of an expression of the page's. */
  evaluate<Value>(expression: string): Promise<Value>
  /** Waits for a button of this name that can be pressed, and presses it. */
  press(button: string): Promise<void>
  /** Writes over what is in the field of this name. */
  fill(field: string, text: string): Promise<void>
  /** Ends the browser. */
  close(): Promise<void>
}

/** A busy machine may take seconds for what takes milliseconds. */
export const PATIENCE_MS = 60_000

export const SIZE = { width: 1_280, height: 900 }
