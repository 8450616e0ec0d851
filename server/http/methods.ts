import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

/** The methods of each path. Create before the routes are added. */
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
   * Refuses a request without a route.
   *
   * @throws Problem `method_not_allowed`, with the allowed ones in the answer, when the path has other methods; else
   *   `not_found`
   */
  refuse({ url }: FastifyRequest, reply: FastifyReply): never {
    const [path = ''] = url.split('?')
    const methods = this.#ofPath.get(path)
    if (!methods) throw new Problem('not_found')
    reply.header('allow', [...methods].join(', '))
    throw new Problem('method_not_allowed')
  }
}
