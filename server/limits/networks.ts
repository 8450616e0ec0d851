import type { IncomingMessage } from 'node:http'
import { all, compile } from '@fastify/proxy-addr'

/** Returns whether an entry is an address, a network such as 10.0.0.0/8, or a group such as loopback. */
export function isNetwork(entry: string): boolean {
  try {
    compile(entry)
    return true
  } catch {
    return false
  }
}

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
