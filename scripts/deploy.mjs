// `npm run test:deploy` runs the tests that need other programs on this machine, and lists what other parts
// lack. `npm run test:deploy -- nginx failover` runs only the two named parts.

import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import './system.cjs'

const { PATH = '', HOME, npm_execpath, BASE_IMAGE = '', DEBIAN = '/opt/debian' } = process.env
/** The folders to search for programs; an ordinary user's PATH may lack /usr/sbin and /sbin. */
const FOLDERS = [resolve('node_modules/.bin'), ...PATH.split(delimiter), '/usr/sbin', '/sbin']

const DEPLOY = 'vitest run --config tests/deploy/vitest.config.ts'
const BROWSERS = [
  'npm ci --prefix tests/deploy/browsers --ignore-scripts',
  // `npm test` does not check these types, because the packages are missing there.
  'tsc --noEmit -p tests/deploy/browsers',
  'vitest run --config tests/deploy/browsers/vitest.config.ts',
].join(' && ')
/**
 * The server's unit tests. Unlike the embedded PostgreSQL, others compile expensive plans with LLVM. The tests of
 * backups also move a game between the embedded PostgreSQL and these versions.
 */
const UNIT = `for folder in /usr/lib/postgresql/*/bin; do
  TEST_POSTGRES=$folder vitest run server '--exclude=server/embedded/**' || exit 1; done`

/**
 * The parts: a shell command, then what it needs: programs, paths, root, or an image with Node in `BASE_IMAGE`.
 * tests/deploy/debian.sh makes the Debian.
 *
 * @type {Record<string, readonly [string, ...string[]]>}
 */
const PARTS = {
  environments: ['sh tests/deploy/environments.sh', 'root', 'git', 'ip', 'setpriv', 'taskset'],
  tls: [`${DEPLOY} tls`, 'openssl'],
  page: [`${DEPLOY} page`, 'root', 'systemd-nspawn', DEBIAN],
  nginx: [`PROXY=nginx ${DEPLOY} proxies`, 'nginx', 'openssl'],
  haproxy: [`PROXY=haproxy ${DEPLOY} proxies`, 'haproxy', 'openssl'],
  caddy: [`PROXY=caddy ${DEPLOY} proxies`, 'caddy', 'openssl'],
  prometheus: ['promtool test rules tests/deploy/alerts.test.yml', 'promtool'],
  pgbouncer: [`${DEPLOY} pooler`, 'pgbouncer'],
  unit: [UNIT, '/usr/lib/postgresql/15'],
  firefox: [`export BROWSERS=Firefox; ${BROWSERS}`, 'firefox-esr'],
  webkit: [`export BROWSERS=WebKit; ${BROWSERS}`, 'WebKitWebDriver', 'Xvfb'],
  container: [`${DEPLOY} container`, 'buildah', 'BASE_IMAGE'],
  failover: [
    'sh tests/deploy/failover/run.sh',
    ...['root', 'systemd-nspawn', DEBIAN, 'haproxy', 'openssl', 'ip', 'iptables', 'mkfs.ext4'],
  ],
}

const { orExplain, setUp } = await import('./setup.mjs')
const { SetupError } = await import('./project.mjs')
const { run } = await import('./run.mjs')
const { createTestEnvironment } = await import('./test-environment.mjs')

async function test() {
  const asked = process.argv.slice(2)
  const unknown = asked.find(name => !PARTS[name])
  if (unknown)
    throw new SetupError(`No part is called ${unknown}; the parts are ${Object.keys(PARTS).join(', ')}.`)
  const parts = Object.entries(PARTS).filter(([name]) => asked.length === 0 || asked.includes(name))
  const untried = parts.filter(([, [, ...needs]]) => needs.some(isMissing))
  for (const [name, [, ...needs]] of untried)
    console.log(`${name} lacks ${needs.filter(isMissing).join(', ')}`)
  await setUp({ dev: true })
  // npm and buildah use files in the user's home folder.
  const kept = { HOME, npm_execpath, BASE_IMAGE, DEBIAN, PATH: FOLDERS.join(delimiter), TESTS: 'all' }
  const env = { ...createTestEnvironment(), ...kept }
  for (const [name, [command]] of parts.filter(part => !untried.includes(part))) {
    console.log(`\n== ${name}`)
    await run(name, ['-c', command], { program: 'sh', env })
  }
  console.log(
    untried.length ? `\nDid not run: ${untried.map(([name]) => name).join(', ')}` : '\nAll parts ran.',
  )
}

/** @param {string} need */
function isMissing(need) {
  if (need === 'root') return process.geteuid?.() !== 0
  if (need === 'BASE_IMAGE') return BASE_IMAGE === ''
  return ![...FOLDERS, '/'].some(folder => existsSync(join(folder, need)))
}

await orExplain(test())
