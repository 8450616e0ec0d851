/** What a wrong setting should have been; the operator sees it after the word "expected". */
export class Expected {
  readonly words: string
  /** False when the given value may hold a password. */
  readonly show: boolean

  constructor(words: string, show = true) {
    this.words = words
    this.show = show
  }
}
