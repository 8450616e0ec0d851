import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { all, compile } from '@fastify/proxy-addr'

/** True when an entry is an address, a network such as 10.0.0.0/8, or a group: loopback, linklocal, uniquelocal. */
export function isNetwork(entry: string): boolean {
  try {
    compile(entry)
    return true
  } catch {
    return false
  }
}

/** Tells which addresses belong to some networks, as Fastify itself does. */
export function addressMatcher(entries: readonly string[]): (address: string) => boolean {
  const belongs = compile([...entries])
  return address => isIP(address) !== 0 && belongs(address, 0)
}

/** Tells who sent a request, through some proxies or without them, as Fastify itself does. */
export function clientAddress(proxies: readonly string[]): (request: IncomingMessage) => string {
  const belongs = compile([...proxies])
  return request => all(request, belongs).at(-1) ?? ''
}
