import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const DEPLOY = new URL('../../deploy/', import.meta.url)

/** Where a proxy runs for the tests. */
export interface Place {
  readonly folder: string
  /** The nodes behind it. */
  readonly servers: readonly string[]
  /** Addresses to listen at, without and with TLS. */
  readonly plain: string
  readonly secure: string
  /** Self-signed; `both` is one file with both parts. */
  readonly certificate: string
  readonly key: string
  readonly both: string
}

/** A proxy, and how to run it with a file of `deploy/`. */
export interface DeployedProxy {
  /** The name of its program. */
  readonly name: string
  /** The loopback network of its visitors. */
  readonly visitors: string
  readonly file: string
  /** Replacements in its file: ports, a certificate, a name. */
  readonly words: (place: Place) => Readonly<Record<string, string>>
  /** The arguments of its program. */
  readonly parameters: (file: string, folder: string) => Promise<string[]>
  /** Whether it limits connections and requests per address. */
  readonly hasLimits: boolean
  /** Whether it resends a POST that was in progress on a node that ends. */
  readonly passesPosts: boolean
}

export const PROXIES: readonly DeployedProxy[] = [
  {
    name: 'nginx',
    visitors: '127.20.0',
    file: 'nginx.conf',
    words: ({ servers, plain, secure, certificate, key }) => ({
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
    visitors: '127.21.0',
    file: 'haproxy.cfg',
    words: ({ servers, plain, secure, both }) => ({
      // Only root may become another user.
      '\tuser haproxy\n\tgroup haproxy\n': '',
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
    visitors: '127.22.0',
    file: 'Caddyfile',
    words: ({ servers, plain, secure, certificate, key }) => ({
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
 * @returns its path
 * @throws Error when the file lacks a text to replace
 */
export async function adapt({ file, words }: DeployedProxy, place: Place): Promise<string> {
  let text = await readFile(new URL(file, DEPLOY), 'utf8')
  for (const [old, word] of Object.entries(words(place))) {
    if (!text.includes(old)) throw new Error(`${file} has no ${old}`)
    text = text.replaceAll(old, word)
  }
  const path = join(place.folder, file)
  await writeFile(path, text)
  return path
}
