import type { Recorded, Round, Session, SignedIn, Start } from '../../contract/api.ts'
import { Client } from '../support/client.ts'

export const PASSWORD = 'a long enough password'

/** The calls from Start to the claim, in order; a winner either signs up or logs in. */
export const PATHS = {
  start: '/api/rounds',
  save: '/api/attempts',
  'sign-up': '/api/users',
  'sign-in': '/api/login',
  claim: '/api/claim',
} as const
export type Step = keyof typeof PATHS

/** A player who wins one round, with the state that the page keeps across a reload. */
export class Winner {
  readonly name: string
  browser: Client
  #round: Round
  #start = ''
  #taps = 0

  private constructor(name: string, browser: Client, round: Round) {
    this.name = name
    this.browser = browser
    this.#round = round
  }

  static async open(url: string, name: string): Promise<Winner> {
    const browser = new Client(url)
    return new Winner(name, browser, (await browser.session()).round)
  }

  /** The TAPS won; 0 until the attempt has been answered. */
  get taps(): number {
    return this.#taps
  }

  /**
   * Sends the call of a step.
   *
   * @throws TypeError when the answer is lost, Error when the call is refused
   */
  async take(step: Step): Promise<void> {
    const { status, body } = await this.browser.post(PATHS[step], this.#bodyOf(step))
    if (status >= 300) throw new Error(`${step} was answered with ${status}: ${JSON.stringify(body)}`)
    if (step === 'start') this.#start = (body as Start).start
    if (step === 'save') this.#taps = (body as Recorded).attempt.won_taps ?? 0
    if (step.startsWith('sign') && (body as SignedIn).user.username !== this.name) {
      throw new Error(`${this.name} was signed in as ${JSON.stringify(body)}`)
    }
  }

  /** Reloads the page, then repeats the step unless the session shows that the step is done. */
  async resume(step: Step): Promise<Session> {
    const session = await this.browser.session()
    if (!this.#isDone(step, session)) await this.take(step)
    return session
  }

  #isDone(step: Step, { user, prize }: Session): boolean {
    if (step === 'claim') return prize === null
    return step.startsWith('sign') && user !== null
  }

  #bodyOf(step: Step): object | undefined {
    if (step === 'claim') return undefined
    if (step === 'start') return { round: this.#round.token }
    if (step === 'save') {
      return { start: this.#start, username: this.name, actual_time: this.#round.target_time }
    }
    return { username: this.name, password: PASSWORD }
  }
}
