// `npm run test:deploy` runs the tests that need other programs on this machine. Lists the parts whose
// programs are missing, and the programs' Debian packages. `npm run test:deploy -- nginx failover` runs only
// the two named parts.

import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import './system.cjs'

/** The folder in which Debian installs each major version of PostgreSQL. */
const POSTGRES = '/usr/lib/postgresql'
const { PATH = '', HOME, npm_execpath, BASE_IMAGE, DEBIAN = '/opt/debian' } = process.env
/** The folders to search for programs; an ordinary user's PATH may lack /usr/sbin and /sbin. */
const FOLDERS = [...PATH.split(delimiter), '/usr/sbin', '/sbin']
const VITEST = ['node_modules/vitest/vitest.mjs', 'run']
const DEPLOY = [...VITEST, '--config', 'tests/deploy/vitest.config.ts']
const TSC = 'node_modules/typescript/bin/tsc'
const DRIVERS = 'tests/deploy/browsers'
const BROWSERS = [...VITEST, '--config', 'tests/deploy/browsers/vitest.config.ts']

/**
 * A part of the tests that can run alone.
 *
 * @typedef {object} Part
 * @property {Record<string, string>} programs - The programs that the part needs, with their Debian packages.
 * @property {string | false} [lacks] - Anything else that this machine lacks.
 * @property {string} [program] - The program to run; Node by default.
 * @property {string[]} command
 * @property {Record<string, string>} [env]
 * @property {string} [packages] - A folder whose packages are installed and whose types are checked
 * beforehand.
 */

const nspawn = { 'systemd-nspawn': 'systemd-container' }
const lacksDebian =
  process.geteuid?.() !== 0
    ? 'root, to boot a Debian'
    : !existsSync(DEBIAN) && `a Debian in ${DEBIAN} (tests/deploy/debian.sh makes it)`

/** @type {Record<string, Part>} */
const PARTS = {
  environments: {
    programs: { git: 'git', ip: 'iproute2', setpriv: 'util-linux', taskset: 'util-linux' },
    lacks: process.geteuid?.() !== 0 && 'root, to change users and namespaces',
    program: 'sh',
    command: ['tests/deploy/environments.sh'],
  },
  tls: { programs: { openssl: 'openssl' }, command: [...DEPLOY, 'tls'] },
  page: { programs: nspawn, lacks: lacksDebian, command: [...DEPLOY, 'page'] },
  nginx: proxy('nginx'),
  haproxy: proxy('haproxy'),
  caddy: proxy('caddy'),
  prometheus: { programs: { promtool: 'prometheus' }, command: [...DEPLOY, 'prometheus'] },
  pgbouncer: { programs: { pgbouncer: 'pgbouncer' }, command: [...DEPLOY, 'pooler'] },
  oldest: {
    programs: {},
    lacks: !existsSync(join(POSTGRES, '15/bin/postgres')) && 'PostgreSQL 15 (apt-get install postgresql-15)',
    command: [...DEPLOY, 'oldest-postgres'],
  },
  ...unitParts(),
  firefox: {
    programs: { 'firefox-esr': 'firefox-esr' },
    command: BROWSERS,
    env: { BROWSERS: 'Firefox' },
    packages: DRIVERS,
  },
  webkit: {
    programs: { WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' },
    command: BROWSERS,
    env: { BROWSERS: 'WebKit' },
    packages: DRIVERS,
  },
  container: {
    programs: { buildah: 'buildah' },
    lacks: !BASE_IMAGE && 'an image with Node in BASE_IMAGE',
    command: [...DEPLOY, 'container'],
  },
  failover: {
    programs: {
      ...{ ...nspawn, haproxy: 'haproxy', openssl: 'openssl' },
      ...{ ip: 'iproute2', iptables: 'iptables', 'mkfs.ext4': 'e2fsprogs' },
    },
    lacks: lacksDebian,
    program: 'sh',
    command: ['tests/deploy/failover/run.sh'],
  },
}

const { orExplain, setUp } = await import('./setup.mjs')
const { SetupError } = await import('./project.mjs')
const { run } = await import('./run.mjs')
const { createTestEnvironment } = await import('./test-environment.mjs')

/** npm and buildah use files in the user's home folder. */
const ENV = { ...createTestEnvironment(), HOME, npm_execpath, BASE_IMAGE, DEBIAN }

async function test() {
  const asked = process.argv.slice(2)
  const unknown = asked.find(name => !PARTS[name])
  if (unknown)
    throw new SetupError(`No part is called ${unknown}; the parts are ${Object.keys(PARTS).join(', ')}.`)
  const parts = Object.entries(PARTS).filter(([name]) => asked.length === 0 || asked.includes(name))
  const lacks = new Map(parts.map(([name, part]) => [name, lackOf(part)]))
  const untried = parts.map(([name]) => name).filter(name => lacks.get(name))
  for (const name of untried) console.log(`${name} lacks ${lacks.get(name)}`)
  await setUp({ dev: true })
  for (const [name, { command, program, env, packages }] of parts.filter(([name]) => !lacks.get(name))) {
    console.log(`\n== ${name}`)
    if (packages) await checkPackages(name, packages)
    const all = { ...ENV, PATH: FOLDERS.join(delimiter), TESTS: 'all', ...env }
    await run(name, command, { program, env: all })
  }
  console.log(untried.length === 0 ? '\nAll parts ran.' : `\nDid not run: ${untried.join(', ')}`)
}

/**
 * Installs the packages of a folder and checks its types, because `npm test` does neither.
 *
 * @param {string} name
 * @param {string} folder
 */
async function checkPackages(name, folder) {
  await run(name, ['ci', '--prefix', folder, '--ignore-scripts'], { program: 'npm' })
  await run(name, [TSC, '--noEmit', '-p', folder])
}

/**
 * @param {Part} part
 * @returns {string} what this machine lacks for the part, or an empty string
 */
function lackOf({ programs, lacks }) {
  const missing = Object.keys(programs).filter(
    name => !FOLDERS.some(folder => existsSync(join(folder, name))),
  )
  const named = missing.map(name => `${name} (apt-get install ${programs[name]})`)
  return [...named, ...(lacks ? [lacks] : [])].join(', ')
}

/**
 * @param {string} name - The name of the proxy, its program and its Debian package.
 * @returns {Part}
 */
function proxy(name) {
  const programs = { [name]: name, openssl: 'openssl' }
  return { programs, command: [...DEPLOY, 'proxies'], env: { PROXY: name } }
}

/**
 * Returns the parts that run the server's unit tests, one per installed PostgreSQL. Unlike the embedded
 * PostgreSQL, an installed PostgreSQL compiles expensive plans with LLVM.
 *
 * @returns {Record<string, Part>}
 */
function unitParts() {
  const majors = existsSync(POSTGRES) ? readdirSync(POSTGRES) : []
  const installed = majors.filter(major => existsSync(join(POSTGRES, major, 'bin/postgres')))
  if (installed.length === 0)
    return { unit: { programs: {}, lacks: `a PostgreSQL in ${POSTGRES}`, command: [] } }
  const command = [...VITEST, 'server', '--exclude=server/embedded/**']
  return Object.fromEntries(
    installed.map(major => {
      const env = { TEST_POSTGRES: join(POSTGRES, major, 'bin') }
      return [`unit-${major}`, { programs: {}, command, env }]
    }),
  )
}

await orExplain(test())
