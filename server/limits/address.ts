import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { BoundedMap } from '../lib/bounded-map.ts'

/** Addresses of which the network is remembered: to find it takes 4 µs, and each request asks several times. */
const MAX_REMEMBERED = 5_000

const networks = new BoundedMap<string>(MAX_REMEMBERED)

/**
 * The key of an address in a limit: IPv4 whole, IPv6 by its /64, which is one household or one host. Whatever else a
 * proxy passes on has one key together.
 */
export function addressKey(ip: string): string {
  if (isIPv4(ip)) return ip
  if (!isIPv6(ip)) return 'unknown'
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
