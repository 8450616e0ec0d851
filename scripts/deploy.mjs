// `npm run test:deploy`: what needs programs of this machine. It names first what is missing and how Debian calls it, runs
// the rest, and says at its end what was not tried. `npm run test:deploy -- nginx failover` runs some parts.

import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import './system.mjs'

/** Where PostgreSQL is that Debian has installed, by its major version. */
const POSTGRES = '/usr/lib/postgresql'
const { PATH = '', BASE_IMAGE, DEBIAN = '/opt/debian' } = process.env
/** With what only administrators run: an ordinary user's path may lack it. */
const PLACES = [...PATH.split(delimiter), '/usr/sbin', '/sbin']
const VITEST = ['node_modules/vitest/vitest.mjs', 'run']
const DEPLOY = [...VITEST, '--config', 'tests/deploy/vitest.config.ts']
const BROWSERS = [...VITEST, '--config', 'tests/deploy/browsers/vitest.config.ts']

/**
 * A part of the tests: the programs it needs with Debian's packages of them, what it needs besides, and what is run.
 *
 * @typedef {object} Part
 * @property {Record<string, string>} programs
 * @property {() => string | false} [lacks] what is missing besides, in words
 * @property {string[]} command
 * @property {Record<string, string>} [env]
 */

/** @type {Record<string, Part>} */
const PARTS = {
  tls: { programs: { openssl: 'openssl' }, command: [...DEPLOY, 'tls'] },
  page: {
    programs: { 'systemd-nspawn': 'systemd-container' },
    lacks: lacksDebian,
    command: [...DEPLOY, 'page'],
  },
  ...Object.fromEntries(['nginx', 'haproxy', 'caddy'].map(name => [name, proxy(name)])),
  prometheus: {
    programs: { promtool: 'prometheus' },
    command: [...DEPLOY, 'prometheus'],
  },
  pgbouncer: { programs: { pgbouncer: 'pgbouncer' }, command: [...DEPLOY, 'pooler'] },
  ...unitParts(),
  firefox: { programs: { 'firefox-esr': 'firefox-esr' }, command: BROWSERS, env: { BROWSERS: 'Firefox' } },
  webkit: {
    programs: { WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' },
    command: BROWSERS,
    env: { BROWSERS: 'WebKit' },
  },
  container: {
    programs: { buildah: 'buildah' },
    lacks: () => !BASE_IMAGE && 'an image with Node in BASE_IMAGE',
    command: [...DEPLOY, 'container'],
  },
  failover: {
    programs: {
      ...{ 'systemd-nspawn': 'systemd-container', haproxy: 'haproxy', openssl: 'openssl' },
      ...{ ip: 'iproute2', iptables: 'iptables', 'mkfs.ext4': 'e2fsprogs' },
    },
    lacks: lacksDebian,
    command: ['scripts/failover.mjs'],
  },
}

const { orExplain, setUp } = await import('./setup.mjs')
const { SetupError } = await import('./project.mjs')
const { run } = await import('./run.mjs')

async function test() {
  const asked = process.argv.slice(2)
  const unknown = asked.find(name => !PARTS[name])
  if (unknown)
    throw new SetupError(`No part is called ${unknown}: there are ${Object.keys(PARTS).join(', ')}.`)
  const parts = Object.entries(PARTS).filter(([name]) => asked.length === 0 || asked.includes(name))
  const untried = parts.filter(([, part]) => lackOf(part) !== '')
  nameMissing(untried.map(([, part]) => part))
  await setUp({ dev: true })
  for (const [name, part] of parts.filter(one => !untried.includes(one))) {
    console.log(`\n== ${name}`)
    const env = { ...process.env, PATH: PLACES.join(delimiter), TESTS: 'all', ...part.env }
    await run(name, part.command, { env })
  }
  console.log(untried.length === 0 ? '\nEverything was tried.' : '\nNot tried:')
  for (const [name, part] of untried) console.log(`  ${name}: it lacks ${lackOf(part)}`)
}

function lacksDebian() {
  if (process.geteuid?.() !== 0) return 'root, to boot a Debian'
  return !existsSync(DEBIAN) && `a Debian in ${DEBIAN} (tests/deploy/debian.sh makes it)`
}

/** @param {Part[]} parts */
function nameMissing(parts) {
  const missing = new Set(parts.flatMap(({ programs }) => missingOf(programs).map(name => programs[name])))
  if (missing.size > 0) console.log(`Missing here: apt-get install ${[...missing].join(' ')}`)
}

/**
 * @param {Part} part
 * @returns {string} what it lacks here, in words; empty when nothing
 */
function lackOf({ programs, lacks = () => false }) {
  return [...missingOf(programs), lacks() || []].flat().join(', ')
}

/** @param {Record<string, string>} programs */
function missingOf(programs) {
  return Object.keys(programs).filter(name => !PLACES.some(place => existsSync(join(place, name))))
}

/**
 * @param {string} name of a proxy, of its program, and of Debian's package
 * @returns {Part}
 */
function proxy(name) {
  return {
    programs: { [name]: name, openssl: 'openssl' },
    command: [...DEPLOY, 'proxies'],
    env: { PROXY: name },
  }
}

function unitParts() {
  const folders = postgresFolders()
  if (folders.length === 0) {
    return { unit: { programs: {}, lacks: () => `a PostgreSQL in ${POSTGRES}`, command: [] } }
  }
  return Object.fromEntries(folders.map(folder => [`unit-${majorOf(folder)}`, unitsOn(folder)]))
}

function postgresFolders() {
  const majors = existsSync(POSTGRES) ? readdirSync(POSTGRES) : []
  return majors.map(major => join(POSTGRES, major)).filter(folder => existsSync(join(folder, 'bin/postgres')))
}

/** @param {string} folder */
function majorOf(folder) {
  return folder.slice(POSTGRES.length + 1)
}

/**
 * The server's unit tests on another PostgreSQL than the embedded one, whose build has no LLVM and cannot show a plan
 * that is compiled: 545 ms instead of 0.5.
 *
 * @param {string} folder
 * @returns {Part}
 */
function unitsOn(folder) {
  return {
    programs: {},
    command: [...VITEST, 'server', '--exclude=server/database/embedded/**'],
    env: { TEST_POSTGRES: join(folder, 'bin') },
  }
}

await orExplain(test())
