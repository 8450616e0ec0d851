// Somebody who guesses passwords, in a process of their own.

import { setTimeout as sleep } from 'node:timers/promises'
import { serveJobs } from '../helper.ts'
import { HttpConnection } from '../load/connection.ts'

const TICK_MS = 2
/** More than wait in the queue of the server, so that it is always full. */
const CONNECTIONS = 160

export interface Flood {
  readonly url: string
  readonly username: string
  /** Logins a second. */
  readonly rate: number
  readonly seconds: number
}

/** How often each status was answered while the flood went on. */
export type Statuses = Readonly<Record<string, number>>

serveJobs<Flood, Statuses>(async ({ url, username, rate, seconds }) => {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => HttpConnection.open(url)))
  const free = [...connections]
  const statuses: Record<string, number> = {}
  const began = performance.now()
  const end = began + seconds * 1_000
  const guess = async (connection: HttpConnection, number: number) => {
    const body = JSON.stringify({ username, password: `guess number ${number}` })
    const { status } = await connection.post('/api/login', '', body)
    if (performance.now() < end) statuses[status] = (statuses[status] ?? 0) + 1
    free.push(connection)
  }

  const guesses: Promise<void>[] = []
  for (let passed = 0; passed < seconds; passed = (performance.now() - began) / 1_000) {
    while (guesses.length < passed * rate) {
      const connection = free.pop()
      if (!connection) break
      guesses.push(guess(connection, guesses.length))
    }
    await sleep(TICK_MS)
  }
  await Promise.all(guesses)
  for (const connection of connections) connection.close()
  return statuses
})
