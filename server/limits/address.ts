import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'
import { all, compile } from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/** An address with a port, which some proxies add: 192.0.2.7:49152, [2001:db8::7]:49152. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/

const UNKNOWN = 'unknown'

/** Returns an address's key in the limits. IPv6 addresses in one /64, usually one household, share a key. */
export function addressKey(text: string): string {
  if (isIPv4(text)) return text
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? []
  // Removes the zone of a link-local address: fe80::1%br-lan.
  const [ip = ''] = (inBrackets ?? beforePort ?? text).split('%', 1)
  if (isIPv4(ip)) return ip
  if (!isIPv6(ip)) return UNKNOWN
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const groups = address.parts.slice(0, 4).map(group => group.toString(16))
  return `${groups.join(':')}::/64`
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
