import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

/** What there is to ask for, by path, and with which methods. Register before the routes. */
export class Methods {
  readonly #ofPath = new Map<string, Set<string>>()

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method }) => {
      const methods = this.#ofPath.get(url) ?? new Set()
      for (const name of [method].flat()) methods.add(name)
      this.#ofPath.set(url, methods)
    })
  }

  /**
   * Refuses what no route was found for.
   *
   * @throws Problem `method_not_allowed` where another method would have been served, which the answer names; else `not_found`
   */
  refuse({ url }: FastifyRequest, reply: FastifyReply): never {
    const [path = ''] = url.split('?')
    const methods = this.#ofPath.get(path)
    if (!methods) throw new Problem('not_found')
    reply.header('allow', [...methods].join(', '))
    throw new Problem('method_not_allowed')
  }
}
