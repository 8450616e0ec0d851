import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { BoundedMap } from '../lib/bounded-map.ts'

/** Addresses of which the network is remembered: to find it takes 4 µs, and each request asks several times. */
const MAX_REMEMBERED = 5_000

const networks = new BoundedMap<string>(MAX_REMEMBERED)

/** What some proxies write: 192.0.2.7:49152, [2001:db8::7]:49152. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/

/** The key of whatever a proxy passes on that is no address. */
export const UNKNOWN = 'unknown'

/** The key of an address in a limit: IPv4 whole, IPv6 by its /64, which is one household or one host. */
export function addressKey(text: string): string {
  if (isIPv4(text)) return text
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? []
  const ip = inBrackets ?? beforePort ?? text
  if (isIPv4(ip)) return ip
  if (!isIPv6(ip)) return UNKNOWN
  const known = networks.get(ip)
  if (known !== undefined) return known
  const network = networkOf(ip)
  networks.set(ip, network)
  return network
}

/** The /64 of an IPv6 address, or the IPv4 address that is mapped into it. */
function networkOf(ip: string): string {
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const groups = address.parts.slice(0, 4).map(group => group.toString(16))
  return `${groups.join(':')}::/64`
}

/** Whose share is used, and how many times the share of one address that is. */
export interface Share {
  readonly key: string
  readonly times: number
}

/** The key of an address of IPv6, and what it is about there, if anything: a name. */
const OF_IPV6 = /^(\w+:\w+:\w+):(\w+)::\/64(.*)$/s

/**
 * The shares that a key uses, the widest first. A customer of IPv6 is given a /64, a /56 or a /48 (RFC 6177), 65,536
 * addresses of ours: all of a /56 have twice the share of one, all of a /48 four times.
 *
 * @param key as `addressKey` writes it, alone or with more behind it; any other key has one share
 */
export function sharesOf(key: string): readonly Share[] {
  const [, site, subnet = '', about] = OF_IPV6.exec(key) ?? []
  if (site === undefined) return [{ key, times: 1 }]
  const household = (Number.parseInt(subnet, 16) & 0xff00).toString(16)
  return [
    { key: `${site}::/48${about}`, times: 4 },
    { key: `${site}:${household}::/56${about}`, times: 2 },
    { key, times: 1 },
  ]
}
