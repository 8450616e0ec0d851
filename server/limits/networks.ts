import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Groups of addresses that may be named instead of listed. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

export const NETWORK_GROUPS = Object.keys(GROUPS)

/**
 * Tells which addresses belong to some networks.
 *
 * @param entries addresses, networks such as 10.0.0.0/8, and groups
 */
export function membership(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of entries.flatMap(entry => GROUPS[entry] ?? [entry])) {
    const [address = '', bits] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return address => {
    if (isIPv4(address)) return list.check(address, 'ipv4')
    return isIPv6(address) && list.check(address, 'ipv6')
  }
}
