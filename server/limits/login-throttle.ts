import { nameKey } from '../../contract/name.ts'
import { Problem } from '../problem.ts'
import type { Limiter } from './limiter.ts'

/** What a wrong password is answered with. */
const WRONG: readonly string[] = ['invalid_password', 'username_taken']

/**
 * Slows down who guesses passwords, and locks nobody out. From one address a name can be tried a few times, then every
 * ten seconds. A name that many addresses guess at together can be tried twice from each further address, then every
 * ten minutes: a crowd of guessers gets nowhere, and whoever knows the password gets in from anywhere else.
 */
export class LoginThrottle {
  readonly #limiter: Limiter

  constructor(limiter: Limiter) {
    this.#limiter = limiter
  }

  /**
   * Lets a password be tried.
   *
   * @param address as `addressKey` writes it
   * @throws Problem `too_many_requests` before it is tried; whatever `attempt` throws
   */
  async admit<Result>(address: string, username: string, attempt: () => Promise<Result>): Promise<Result> {
    // Taken before it is known to be wrong: of a hundred guesses at once only so many are tried.
    const giveBack = this.#take(address, nameKey(username.trim()))
    try {
      const result = await attempt()
      giveBack()
      return result
    } catch (error) {
      if (!(error instanceof Problem && WRONG.includes(error.code))) giveBack()
      throw error
    }
  }

  #take(address: string, name: string): () => void {
    const there = `${address} ${name}`
    const giveBack = this.#limiter.take('wrongPasswords', there)
    try {
      const giveBackShared = this.#takeShared(there, name)
      return () => {
        giveBack()
        giveBackShared()
      }
    } catch (error) {
      giveBack()
      throw error
    }
  }

  #takeShared(there: string, name: string): () => void {
    try {
      return this.#limiter.take('wrongPasswordsOfName', name)
    } catch {
      return this.#limiter.take('lastTries', there)
    }
  }
}
