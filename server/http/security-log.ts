import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { addressKey } from '../limits/address.ts'
import type { Logger } from '../log.ts'

/** The events of calls about accounts and sessions, by path and status. */
const OF_ACCOUNTS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  '/api/login': { 200: 'signed in', 401: 'wrong password', 404: 'unknown name' },
  '/api/users': { 200: 'signed in', 201: 'account made', 409: 'wrong password for a taken name' },
  '/api/logout': { 204: 'signed out' },
  '/api/password': { 204: 'password changed', 401: 'password not changed' },
  '/api/users/delete': { 204: 'account deleted', 401: 'account not deleted' },
}

/** Requests of another site are refused before their body is read, so a 403 after that is about a banned account. */
const BANNED = 'banned account'

const TOLD_TO_WAIT = 'told to wait'

/** The events of any call, by status. */
const OF_ALL: Readonly<Record<number, string>> = { 403: 'sent by another site', 429: TOLD_TO_WAIT }

/** Lines a second, for those that name an account and for all others each, so that a flood fills no disk. */
const MAX_LINES = 20
const SECOND_MS = 1_000

/** Limits the lines of each second. */
class LineBudget {
  #secondAt = 0
  #lines = 0
  #withheld = 0

  /** Takes room for a line; returns how many were withheld before it, or null when this one is withheld, too. */
  take(): number | null {
    const now = performance.now()
    if (now - this.#secondAt >= SECOND_MS) {
      this.#secondAt = now
      this.#lines = 0
    }
    if (this.#lines === MAX_LINES) {
      this.#withheld += 1
      return null
    }
    const withheld = this.#withheld
    this.#lines += 1
    this.#withheld = 0
    return withheld
  }
}

/**
 * Logs sign-ins and refusals, for looking into an attack. Accounts are logged by number, addresses by a pseudonym that
 * cannot be undone and changes with each start: it only tells one address from another.
 */
export class SecurityLog {
  readonly #log: Logger
  readonly #key = randomBytes(32)
  readonly #accounts = new WeakMap<FastifyRequest, number>()
  readonly #ofAccounts = new LineBudget()
  readonly #ofAll = new LineBudget()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Notes which account a request is about. */
  name(request: FastifyRequest, account: number): void {
    this.#accounts.set(request, account)
  }

  /** Logs the answer to a request if it is one of the events above. */
  note(request: FastifyRequest, status: number): void {
    const path = request.routeOptions.url
    const isBanned = status === 403 && request.body !== undefined
    const ofAccounts = isBanned ? BANNED : OF_ACCOUNTS[path ?? '']?.[status]
    const event = ofAccounts ?? (request.problem?.details.isFull ? TOLD_TO_WAIT : OF_ALL[status])
    if (event === undefined) return
    const account = this.#accounts.get(request) ?? request.problem?.details.account
    // To name an account has cost a hash, of which there are few: what anybody can send by the thousand hides no such line.
    const budget = ofAccounts && account !== undefined ? this.#ofAccounts : this.#ofAll
    this.#write(budget, event, status, { path, account }, request.ip)
  }

  /** Logs that an address was told to wait before its request was looked at. */
  refused(ip: string): void {
    this.#write(this.#ofAll, TOLD_TO_WAIT, 429, {}, ip)
  }

  #write(budget: LineBudget, event: string, status: number, about: object, ip: string): void {
    const withheld = budget.take()
    if (withheld === null) return
    const level = status < 400 ? 'info' : 'warn'
    const line = { ...about, from: this.#pseudonym(ip), ...(withheld && { withheld }) }
    this.#log[level](line, event)
  }

  #pseudonym(ip: string): string {
    return createHmac('sha256', this.#key).update(addressKey(ip)).digest('hex').slice(0, 8)
  }
}
