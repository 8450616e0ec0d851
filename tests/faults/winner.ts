import type { Recorded, Round, Session, SignedIn, Start } from '../../contract/api.ts'
import { Client } from '../support/client.ts'

const PASSWORD = 'a long enough password'

/** What a page sends on the way from Start to the claim, in this order; a winner signs up or signs in. */
export const PATHS = {
  start: '/api/rounds',
  save: '/api/attempts',
  'sign-up': '/api/users',
  'sign-in': '/api/login',
  claim: '/api/claim',
} as const
export type Step = keyof typeof PATHS

/** Someone who wins one round: what their page keeps over a reload, and the browser with their cookies. */
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

  /** The TAPS won, once the answer that says so has come. */
  get taps(): number {
    return this.#taps
  }

  /**
   * Sends one call.
   *
   * @throws TypeError when the answer was lost, Error when it was a refusal
   */
  async take(step: Step): Promise<void> {
    const { status, body } = await this.browser.post(PATHS[step], this.#bodyOf(step))
    if (status >= 300) throw new Error(`${step} was answered ${status}: ${JSON.stringify(body)}`)
    if (step === 'start') this.#start = (body as Start).start
    if (step === 'save') this.#taps = (body as Recorded).attempt.won_taps ?? 0
    if (step.startsWith('sign') && (body as SignedIn).user.username !== this.name) {
      throw new Error(`${this.name} became ${JSON.stringify(body)}`)
    }
  }

  /** Loads the page anew, and does what it does then: whatever is left of the step. */
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

/** Somebody who has an account already, from another device. */
export async function makeAccount(url: string, name: string): Promise<void> {
  const { status } = await new Client(url).createAccount(name, PASSWORD)
  if (status !== 201) throw new Error(`No account was made: ${status}`)
}
