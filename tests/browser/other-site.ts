import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Another web server on this machine, with an empty page at every address. */
export interface OtherSite {
  /** Another port of the game's host, which browsers count as the same site. */
  readonly sameHost: string
  /** Another host. */
  readonly otherHost: string
  close(): Promise<void>
}

export async function openOtherSite(): Promise<OtherSite> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Free TAPS</title>')
  })
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    sameHost: `http://127.0.0.1:${port}`,
    otherHost: `http://localhost:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
