/** A refused value, with the values that are expected. */
export class InvalidSetting {
  /** Shown after the word "expected". */
  readonly expected: string
  /** False when the given value may hold a password. */
  readonly show: boolean

  constructor(expected: string, show = true) {
    this.expected = expected
    this.show = show
  }
}
