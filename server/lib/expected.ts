/** What a setting should have been, when it is not; shown to the operator after the word "expected". */
export class Expected {
  readonly words: string
  /** False where the given value may hold a password. */
  readonly show: boolean

  constructor(words: string, show = true) {
    this.words = words
    this.show = show
  }
}
