/** The reason why a setting's value is refused. */
export class InvalidSetting {
  /** The text after the word "expected". */
  readonly expected: string
  /** Whether to show the refused value, which may contain a password. */
  readonly show: boolean

  constructor(expected: string, show = true) {
    this.expected = expected
    this.show = show
  }
}
