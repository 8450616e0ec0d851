import type { FastifyRequest } from 'fastify'
import type { Logger } from '../log.ts'

const OF_USERS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  '/api/login': { 200: 'signed in', 401: 'wrong password', 404: 'unknown name' },
  '/api/users': { 200: 'signed in', 201: 'account created', 409: 'wrong password for a taken name' },
  '/api/logout': { 204: 'signed out' },
  '/api/password': { 204: 'password changed', 401: 'password not changed' },
  '/api/users/delete': { 204: 'account deleted', 401: 'account not deleted' },
}

/**
 * The problems to log. Excludes 429, because a flood would slow the server down; the metrics count refusals.
 */
const OF_PROBLEMS: Readonly<Record<string, string>> = {
  account_banned: 'banned account',
}

/** Logs sign-ins and refusals, without names or passwords. */
export class SecurityLog {
  readonly #log: Logger
  readonly #users = new WeakMap<FastifyRequest, number>()

  constructor(log: Logger) {
    this.#log = log
  }

  setUser(request: FastifyRequest, userId: number): void {
    this.#users.set(request, userId)
  }

  note(request: FastifyRequest, status: number): void {
    const { problem, routeOptions, ip } = request
    const event = OF_PROBLEMS[problem?.code ?? ''] ?? OF_USERS[routeOptions.url ?? '']?.[status]
    if (event === undefined) return
    const user = this.#users.get(request) ?? problem?.details.account
    this.#log[status < 400 ? 'info' : 'warn']({ path: routeOptions.url, user, address: ip }, event)
  }
}
