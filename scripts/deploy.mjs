// `npm run test:deploy` runs the tests that need root or other programs on this machine. `npm run test:deploy --
// nginx failover` runs only the two named parts.

import { delimiter, resolve } from 'node:path'
import './system.cjs'

const { PATH = '', HOME, npm_execpath, BASE_IMAGE, DEBIAN = '/opt/debian' } = process.env
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

/** @type {Record<string, string>} */
const PARTS = {
  environments: 'sh tests/deploy/environments.sh',
  tls: `${DEPLOY} tls`,
  // Needs the folder DEBIAN, which tests/deploy/debian.sh makes; so does `failover`.
  page: `${DEPLOY} page`,
  nginx: `PROXY=nginx ${DEPLOY} proxies two-builds`,
  haproxy: `PROXY=haproxy ${DEPLOY} proxies`,
  caddy: `PROXY=caddy ${DEPLOY} proxies`,
  // Prints how long a Start takes while each proxy is flooded, median and maximum, as multiples of that before.
  floods: `${DEPLOY} proxies -t flood`,
  prometheus: 'promtool test rules tests/deploy/alerts.test.yml',
  // Needs Python and a package registry.
  openapi: `${DEPLOY} openapi`,
  pgbouncer: `${DEPLOY} pooler`,
  unit: UNIT,
  firefox: `export BROWSERS=Firefox; ${BROWSERS}`,
  webkit: `export BROWSERS=WebKit; ${BROWSERS}`,
  // Needs an image with Node, named by BASE_IMAGE.
  container: `${DEPLOY} container`,
  failover: 'sh tests/deploy/failover/run.sh',
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
  await setUp({ dev: true })
  // npm and buildah use files in the user's home folder.
  const kept = { HOME, npm_execpath, BASE_IMAGE, DEBIAN, PATH: FOLDERS.join(delimiter), TESTS: 'all' }
  const env = { ...createTestEnvironment(), ...kept }
  /** @type {string[]} */
  const failed = []
  for (const name of asked.length > 0 ? asked : Object.keys(PARTS)) {
    console.log(`\n== ${name}`)
    const command = PARTS[name] ?? ''
    await run(name, ['-c', command], { program: 'sh', env }).catch(() => failed.push(name))
  }
  if (failed.length > 0) throw new SetupError(`Failed: ${failed.join(', ')}`)
}

await orExplain(test())
