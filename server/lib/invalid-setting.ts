/** The refusal of a setting's value, with what was expected. */
export class InvalidSetting {
  /** Shown after the word "expected". */
  readonly expected: string
  /** False when the refused value may contain a password. */
  readonly show: boolean

  constructor(expected: string, show = true) {
    this.expected = expected
    this.show = show
  }
}
