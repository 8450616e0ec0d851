import { execFile } from 'node:child_process'
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished, test } from 'vitest'
import { programPath } from './programs.ts'
import { describeProxy } from './proxies.ts'
import { adapt, type Place } from './proxy.ts'

async function prepare(program: string, { folder, servers, plain, secure, both }: Place): Promise<string[]> {
  const file = await adapt('haproxy.cfg', folder, {
    'bind :80': `bind ${plain}`,
    'bind :443': `bind ${secure}`,
    '/etc/haproxy/taps.pem': both,
    'server one 127.0.0.1:3000 check inter 2s': servers
      .map((server, n) => `server node${n} ${server} check inter 2s`)
      .join('\n'),
  })
  return [program, '-db', '-f', file]
}

describeProxy({ name: 'haproxy', index: 2, prepare, boundsConnections: true, passesPosts: true })

const run = promisify(execFile)
const ADDRESSES = { ADDRESS: '10.0.0.1', ONE: '10.0.0.1', TWO: '10.0.0.2', THREE: '10.0.0.3' }

test.each(['database', 'game'])(
  'HAProxy takes the way to the %s as it is, with the certificates that the script makes',
  async what => {
    const folder = await mkdtemp(join(tmpdir(), 'taps-ha-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await cp('deploy/ha', folder, { recursive: true })
    await run('sh', [join(folder, 'certificates.sh'), join(folder, 'made'), 'one=10.0.0.1'])
    const tls = join(folder, 'tls')
    await cp(join(folder, 'made/one'), tls, { recursive: true })
    for (const part of ['crt', 'key']) await copyFile(join(tls, `machine.${part}`), join(tls, `site.${part}`))
    const file = join(folder, `haproxy-${what}.cfg`)
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('/etc/taps', folder))
    await run(programPath('haproxy'), ['-c', '-q', '-f', file], { env: { ...process.env, ...ADDRESSES } })
  },
)
