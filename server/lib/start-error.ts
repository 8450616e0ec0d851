/**
 * An error that the operator can fix: one line that says what is wrong and what to do, without a stack; the
 * exit code is 1.
 */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartError'
  }
}
