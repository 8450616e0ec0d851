import { describeProxy } from './proxies.ts'
import { adapt, type Place } from './proxy.ts'

async function prepare(
  program: string,
  { folder, servers, plain, secure, certificate, key }: Place,
): Promise<string[]> {
  const file = await adapt('Caddyfile', folder, {
    'servers {': `admin off\n\thttp_port ${new URL(`http://${plain}`).port}\n\tservers {`,
    'taps.example.org {': `https://${secure} {\n\ttls ${certificate} ${key}`,
    'localhost:3000': servers.join(' '),
  })
  return [program, 'run', '--adapter', 'caddyfile', '--config', file]
}

describeProxy({ name: 'caddy', index: 1, prepare, boundsConnections: false, passesPosts: false })
