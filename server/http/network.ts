import os from 'node:os'
import type { FastifyRequest } from 'fastify'
import { isLocal } from './operations.ts'

/** The values of `HOST` that open the port on every network. */
const ANYWHERE: readonly string[] = ['0.0.0.0', '::']

/** Addresses that a machine gives itself when no network has answered (RFC 3927). */
const LINK_LOCAL = /^169\.254\./

/**
 * Returns the URLs at which other machines of the network reach this one; empty unless the server listens on
 * every network. Reads the addresses again each time, because a laptop changes its network.
 */
export function networkUrls(host: string, port: number): string[] {
  if (!ANYWHERE.includes(host)) return []
  return Object.values(os.networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(({ family, internal, address }) => family === 'IPv4' && !internal && !LINK_LOCAL.test(address))
    .map(({ address }) => `http://${address}:${port}`)
}

export function isAnywhere(host: string): boolean {
  return ANYWHERE.includes(host)
}

/** Returns whether the browser runs on this machine and names it by a loopback address. */
export function isOpenedHere(request: FastifyRequest): boolean {
  return isLocal(request) && isLoopbackName(request.hostname)
}

function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
