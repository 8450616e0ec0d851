import { isIP } from 'node:net'
import { BoundedMap } from '../lib/bounded-map.ts'

/** Addresses of which the network is remembered: to find it takes 4 µs, and each request asks several times. */
const MAX_REMEMBERED = 5_000

const networks = new BoundedMap<string>(MAX_REMEMBERED)

/**
 * What stands for an address in a limit: IPv4 whole, IPv6 by its /64, which is one household or one host. What a
 * proxy passes on and is no address counts as one, whatever it says.
 */
export function addressKey(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  const version = isIP(ip)
  if (version === 0) return 'unknown'
  if (version === 4) return ip
  const known = networks.get(ip)
  if (known !== undefined) return known
  const network = networkOf(ip)
  networks.set(ip, network)
  return network
}

/** The /64 of an IPv6 address. */
function networkOf(ip: string): string {
  const [head = '', tail] = ip.replace(/%.*$/, '').split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = (tail ?? '').split(':').filter(Boolean)
  const zeros = Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  const network = [...groups, ...zeros, ...rest].slice(0, 4)
  return `${network.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
