// The part "failover" of `npm run test:deploy`: loses each part of a highly available cluster, in a network of its own that
// goes away with it.

import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SetupError } from './project.mjs'
import { orExplain } from './setup.mjs'

const SITE = 'IP:10.0.0.101,IP:10.0.0.102,IP:10.0.0.103'
const VITEST = [
  ...['node_modules/vitest/vitest.mjs', 'run'],
  ...['--config', 'tests/deploy/failover/vitest.config.ts'],
]
/** The shell is the first process there, which takes in the orphans of machines that were lost. */
const ALONE = [
  ...['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ...['sh', '-c', '"$@"; exit $?', 'sh'],
]

/**
 * Runs a program; what it prints is shown when it fails.
 *
 * @param {string} program
 * @param {string[]} words
 */
function run(program, ...words) {
  const { status, error, stderr, stdout } = spawnSync(program, words, { encoding: 'utf8' })
  if (status !== 0) throw new SetupError(`${program} failed:\n${stdout}${stderr}${error ?? ''}`)
}

/**
 * The certificates have to be there before the tests' own process starts, which reads whom it trusts only then.
 *
 * @param {string} folder
 */
function makeCertificates(folder) {
  const tls = join(folder, 'tls')
  mkdirSync(tls)
  run('sh', 'deploy/ha/certificates.sh', tls, 'one=10.0.0.1', 'two=10.0.0.2', 'three=10.0.0.3')
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc']
  const name = ['-subj', '/CN=site', '-addext', `subjectAltName=${SITE}`]
  const files = ['-keyout', join(tls, 'site.key'), '-out', join(tls, 'site.crt')]
  run('openssl', 'req', '-x509', ...kind, ...name, ...files)
  cpSync(join(tls, 'ca.crt'), join(folder, 'trusted.crt'))
  appendFileSync(join(folder, 'trusted.crt'), readFileSync(join(tls, 'site.crt')))
}

async function test() {
  const folder = mkdtempSync(join(tmpdir(), 'taps-failover-'))
  makeCertificates(folder)
  const env = { FAILOVER_FOLDER: folder, NODE_EXTRA_CA_CERTS: join(folder, 'trusted.crt') }
  const { status } = spawnSync('unshare', [...ALONE, process.execPath, ...VITEST], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (status === 0) return rmSync(folder, { recursive: true })
  throw new SetupError(`The failover tests failed; what the machines said is in ${folder}.`)
}

await orExplain(test())
