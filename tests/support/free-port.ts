import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port that nobody listens on, for what has to know it before it listens. */
export async function freePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
