import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { isNavigation } from './cross-site.ts'

const SCRIPT = /<script.*?<\/script>/gs
const MAIN = /<main.*<\/main>/s

const NOTHING = `<main class="loading">
          <p>There is nothing at this address.</p>
          <p class="loading-rule"><a href="/">Play TAPS</a></p>
        </main>`

/**
 * Creates the handler of unknown paths. A person who follows a broken link gets a page with a link to the game; a
 * program gets a problem.
 *
 * @param shell - The page before its scripts have run, for the head and the look.
 */
export function notFoundHandler(shell: string) {
  const page = shell.replace(SCRIPT, '').replace(MAIN, NOTHING)
  return (request: FastifyRequest, reply: FastifyReply) => {
    if (request.url.startsWith('/api/') || !isNavigation(request)) throw new Problem('not_found')
    return reply.code(404).type('text/html; charset=utf-8').send(page)
  }
}
