/** The reason why a setting's value is refused. */
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
