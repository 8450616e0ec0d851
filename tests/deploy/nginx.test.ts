import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeProxy } from './proxies.ts'
import { adapt, type Place } from './proxy.ts'

async function prepare(
  program: string,
  { folder, servers, plain, secure, certificate, key }: Place,
): Promise<string[]> {
  const site = await adapt('nginx.conf', folder, {
    'listen 80;': `listen ${plain};`,
    'listen 443 ssl': `listen ${secure} ssl`,
    '/etc/letsencrypt/live/taps.example.org/fullchain.pem': certificate,
    '/etc/letsencrypt/live/taps.example.org/privkey.pem': key,
    'server 127.0.0.1:3000 max_fails=0;': servers.map(server => `server ${server} max_fails=0;`).join('\n'),
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const main = join(folder, 'main.conf')
  await writeFile(
    main,
    `daemon off; pid ${folder}/pid; worker_processes 1; error_log stderr;
    events { worker_connections 2048; }
    http { access_log off; ${temporary.map(name => `${name}_temp_path ${folder}/${name};`).join(' ')} include ${site}; }`,
  )
  return [program, '-p', folder, '-c', main, '-e', 'stderr']
}

describeProxy({ name: 'nginx', index: 0, prepare, boundsConnections: true, passesPosts: true })
