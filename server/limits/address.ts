import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { BoundedMap } from '../lib/bounded-map.ts'

/** How many networks are cached: finding one takes 4 µs, and each request asks several times. */
const MAX_REMEMBERED = 5_000

const networks = new BoundedMap<string>(MAX_REMEMBERED)

/** Some proxies add the port: 192.0.2.7:49152, [2001:db8::7]:49152. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/

/** The key of anything a proxy passes on that is not an address. */
export const UNKNOWN = 'unknown'

/** The key of an address in the limits: all of IPv4; of IPv6 the /64, which is one host or household. */
export function addressKey(text: string): string {
  if (isIPv4(text)) return text
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? []
  // Without the zone of a link-local address, which Node and ipaddr.js read differently: fe80::1%br-lan.
  const [ip = ''] = (inBrackets ?? beforePort ?? text).split('%', 1)
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

/** A share of a limit: its key, and its size as a multiple of one address's share. */
export interface Share {
  readonly key: string
  readonly times: number
}

/** The key of an IPv6 address, with anything behind it, such as a name. */
const OF_IPV6 = /^(\w+:\w+:\w+):(\w+)::\/64(.*)$/s

/**
 * The shares that a key uses, the widest first. An IPv6 customer is given a /64, a /56 or a /48 (RFC 6177), up to 65,536
 * of our keys: a whole /56 has twice the share of one /64, a whole /48 four times.
 *
 * @param key of `addressKey`, alone or with more behind it; any other key has one share
 */
export function sharesOf(key: string): readonly [Share, ...Share[]] {
  const [, site, subnet = '', about] = OF_IPV6.exec(key) ?? []
  if (site === undefined) return [{ key, times: 1 }]
  const household = (Number.parseInt(subnet, 16) & 0xff00).toString(16)
  return [
    { key: `${site}::/48${about}`, times: 4 },
    { key: `${site}:${household}::/56${about}`, times: 2 },
    { key, times: 1 },
  ]
}
