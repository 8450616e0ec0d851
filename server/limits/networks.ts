import { isIP } from 'node:net'
import { compile } from '@fastify/proxy-addr'

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
export function membership(entries: readonly string[]): (address: string) => boolean {
  const belongs = compile([...entries])
  return address => isIP(address) !== 0 && belongs(address, 0)
}
