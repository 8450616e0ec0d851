import type { IncomingMessage } from 'node:http'
import { all, compile } from '@fastify/proxy-addr'

/** Creates a check that matches addresses as Fastify's `trustProxy` does. */
export function addressMatcher(entries: readonly string[]): (address: string) => boolean {
  const belongs = compile([...entries])
  return address => belongs(address, 0)
}

/** Creates a function that finds a client's address as `trustProxy` does. */
export function clientAddress(proxies: readonly string[]): (request: IncomingMessage) => string {
  const belongs = compile([...proxies])
  return request => all(request, belongs).at(-1) ?? ''
}
