import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const DEPLOY = new URL('../../deploy/', import.meta.url)

/**
 * The number of simultaneous requests of one address. The files of `deploy/` allow 2,000, which a test cannot reach
 * within the limits of requests per second.
 */
export const IN_PROGRESS_MAX = 200

/** The addresses and files of a proxy under test. */
export interface Place {
  readonly folder: string
  /** The nodes behind the proxy. */
  readonly servers: readonly string[]
  /** The addresses to listen on, without and with TLS. */
  readonly plain: string
  readonly secure: string
  /** The files of a self-signed certificate and its key; `both` contains certificate and key. */
  readonly certificate: string
  readonly key: string
  readonly both: string
}

/** A proxy that is configured by a file of `deploy/`. */
export interface DeployedProxy {
  /** The name of the proxy's program. */
  readonly name: string
  /** The loopback network of the proxy's clients. */
  readonly network: string
  readonly file: string
  /** Replacements in the file, such as ports, certificates and names. */
  readonly replacements: (place: Place) => Readonly<Record<string, string>>
  readonly parameters: (file: string, folder: string) => Promise<string[]>
  /** Whether the proxy limits connections and requests per address. */
  readonly hasLimits: boolean
  /** Whether the proxy resends a POST that was in progress on a stopping node. */
  readonly passesPosts: boolean
}

export const PROXIES: readonly DeployedProxy[] = [
  {
    name: 'nginx',
    network: '127.20.0',
    file: 'nginx.conf',
    replacements: ({ servers, plain, secure, certificate, key }) => ({
      'limit_conn taps_connections 2000;': `limit_conn taps_connections ${IN_PROGRESS_MAX};`,
      'listen 80;': `listen ${plain};`,
      'listen 443 ssl': `listen ${secure} ssl`,
      '/etc/letsencrypt/live/taps.example.org/fullchain.pem': certificate,
      '/etc/letsencrypt/live/taps.example.org/privkey.pem': key,
      'server 127.0.0.1:3000 max_fails=0;': servers.map(server => `server ${server} max_fails=0;`).join('\n'),
    }),
    async parameters(file, folder) {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      const paths = temporary.map(name => `${name}_temp_path ${folder}/${name};`).join(' ')
      const main = join(folder, 'main.conf')
      const first = `daemon off; pid ${folder}/pid; worker_processes auto; error_log stderr; events { worker_connections 2048; }`
      await writeFile(main, `${first} http { access_log off; ${paths} include ${file}; }`)
      return ['-p', folder, '-c', main, '-e', 'stderr']
    },
    hasLimits: true,
    passesPosts: true,
  },
  {
    name: 'haproxy',
    network: '127.21.0',
    file: 'haproxy.cfg',
    replacements: ({ servers, plain, secure, both }) => ({
      // Removed, because only root may change users.
      '\tuser haproxy\n\tgroup haproxy\n': '',
      'sc1_conn_cur gt 2000': `sc1_conn_cur gt ${IN_PROGRESS_MAX}`,
      'bind :80': `bind ${plain}`,
      'bind :443': `bind ${secure}`,
      '/etc/haproxy/taps.pem': both,
      'server one 127.0.0.1:3000 check': servers
        .map((server, n) => `server node${n} ${server} check`)
        .join('\n'),
    }),
    parameters: async file => ['-db', '-f', file],
    hasLimits: true,
    passesPosts: true,
  },
  {
    name: 'caddy',
    network: '127.22.0',
    file: 'Caddyfile',
    replacements: ({ servers, plain, secure, certificate, key }) => ({
      'servers {': `admin off\n\thttp_port ${new URL(`http://${plain}`).port}\n\tservers {`,
      'taps.example.org {': `https://${secure} {\n\ttls ${certificate} ${key}`,
      'localhost:3000': servers.join(' '),
    }),
    parameters: async file => ['run', '--adapter', 'caddyfile', '--config', file],
    hasLimits: false,
    passesPosts: false,
  },
]

/**
 * Writes the proxy's file of `deploy/` with its replacements.
 *
 * @returns the path of the written file
 * @throws Error when the file lacks a text to replace
 */
export async function adapt({ file, replacements }: DeployedProxy, place: Place): Promise<string> {
  let text = await readFile(new URL(file, DEPLOY), 'utf8')
  for (const [old, replacement] of Object.entries(replacements(place))) {
    if (!text.includes(old)) throw new Error(`${file} lacks a text to replace: ${old}`)
    text = text.replaceAll(old, replacement)
  }
  const path = join(place.folder, file)
  await writeFile(path, text)
  return path
}
