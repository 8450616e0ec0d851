/**
 * An error that the operator can put right. Its message is one line that says what is wrong and what to do; it is shown
 * without a stack trace, and the exit code is 1.
 */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartError'
  }
}
