// `npm run test:failover`: sets up what is missing, then loses each part of a highly available cluster, in a network of its
// own that goes away with it. `-- --install` installs the programs on Debian; `-- --all` is the long run.

import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import './system.mjs'

const { orExplain, setUp } = await import('./setup.mjs')
const { SetupError } = await import('./project.mjs')

const { PATRONI } = process.env
const PACKAGES =
  'etcd-server etcd-client haproxy postgresql-15 python3-venv openssl iproute2 iptables curl e2fsprogs'
const PATRONI_PACKAGE = 'patroni[etcd3,psycopg3]==4.1.5'
/** Beside the checkout's other things that are made once; a cluster has it in /opt/patroni. */
const VENV = resolve('.cache/patroni')
const PROGRAMS = [
  ...['etcd', 'etcdctl', 'haproxy', 'openssl', 'ip', 'bridge', 'iptables', 'curl', 'mkfs.ext4', 'nsenter'],
  '/usr/lib/postgresql/15/bin/postgres',
]
const SITE = 'IP:10.0.0.101,IP:10.0.0.102,IP:10.0.0.103'

const parameters = process.argv.slice(2)
/** @param {string} option */
const isGiven = option => parameters.includes(option)

/**
 * Runs a program; what it says is shown when it fails.
 *
 * @param {string} program
 * @param {string[]} words
 */
function run(program, ...words) {
  const { status, error, stderr, stdout } = spawnSync(program, words, { encoding: 'utf8' })
  if (status !== 0) throw new SetupError(`${program} failed:\n${stdout}${stderr}${error ?? ''}`)
}

function install() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = spawnSync(
    'apt-get',
    ['install', '--yes', '--no-upgrade', '--no-install-recommends', ...PACKAGES.split(' ')],
    {
      stdio: 'inherit',
      env,
    },
  )
  if (apt.status !== 0) throw new SetupError('apt-get failed; what it says above tells why.')
  // Debian's own: PostgreSQL's user may not be able to read another one's files.
  run('/usr/bin/python3', '-m', 'venv', VENV)
  run(join(VENV, 'bin/pip'), 'install', '--quiet', PATRONI_PACKAGE)
}

/** Where Patroni is that PostgreSQL's user may run, who reads nothing below /root; undefined where there is none. */
function patroni() {
  const runs = ['--userspec=postgres', '/']
  return [PATRONI, VENV, '/opt/patroni'].find(
    place => place && spawnSync('chroot', [...runs, join(place, 'bin/patroni'), '--version']).status === 0,
  )
}

function requirePrograms() {
  /** @param {string} program */
  const isThere = program => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
  const missing = PROGRAMS.filter(program => !isThere(program))
  if (!patroni()) missing.push('a patroni that the user postgres may run')
  if (missing.length === 0) return
  throw new SetupError(
    `${missing.join(', ')} missing: on Debian, as root, npm run test:failover -- --install`,
  )
}

function requireNamespaces() {
  if (spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'true']).status === 0) return
  throw new SetupError('npm run test:failover needs Linux, root, and leave to make network namespaces.')
}

/**
 * The certificates have to be there before the tests' own process starts, which reads whom it trusts only then.
 *
 * @param {string} folder
 */
function makeCertificates(folder) {
  const tls = join(folder, 'tls')
  run('sh', 'deploy/ha/certificates.sh', tls, 'one=10.0.0.1', 'two=10.0.0.2', 'three=10.0.0.3')
  const key = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-noenc',
    '-keyout',
    join(tls, 'site.key'),
  ]
  const name = ['-subj', '/CN=site', '-addext', `subjectAltName=${SITE}`]
  run('openssl', 'req', '-x509', ...key, ...name, '-out', join(tls, 'site.crt'))
  cpSync(join(tls, 'ca.crt'), join(folder, 'trusted.crt'))
  appendFileSync(join(folder, 'trusted.crt'), readFileSync(join(tls, 'site.crt')))
}

async function test() {
  requireNamespaces()
  if (isGiven('--install')) install()
  requirePrograms()
  await setUp({ dev: true })
  const folder = mkdtempSync(join(tmpdir(), 'taps-failover-'))
  mkdirSync(join(folder, 'tls'))
  makeCertificates(folder)
  const more = parameters.filter(option => option !== '--install' && option !== '--all')
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'tests/deploy/failover/vitest.config.ts',
    ...more,
  ]
  const { status } = spawnSync(
    'unshare',
    // The shell is the first process there, which takes in the orphans of machines that were lost.
    [
      '--net',
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      'sh',
      '-c',
      '"$@"; exit $?',
      'sh',
    ].concat(process.execPath, vitest),
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        ...(isGiven('--all') && { TESTS: 'all' }),
        PATRONI: patroni(),
        FAILOVER_FOLDER: folder,
        NODE_EXTRA_CA_CERTS: join(folder, 'trusted.crt'),
      },
    },
  )
  if (status === 0) return rmSync(folder, { recursive: true })
  throw new SetupError(`The failover tests failed; what the machines said is in ${folder}.`)
}

await orExplain(test())
