import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { VERSION } from '../../server/lib/version.ts'
import { freePort } from '../support/free-port.ts'
import { ServerNode } from '../support/node.ts'
import { newDataDir } from '../support/shared-postgres.ts'
import { programPath } from './programs.ts'

const promtool = programPath('promtool')
const prometheus = programPath('prometheus')
const FOLDER = fileURLToPath(new URL('../../deploy/prometheus', import.meta.url))
const TIMEOUT_MS = 60_000

/** What we read of Prometheus' answers. */
interface Answer {
  readonly data?: {
    readonly result?: readonly { readonly metric: Record<string, string> }[]
    readonly groups?: readonly { readonly rules: readonly unknown[] }[]
  }
}

let dataDir = ''
let node: ServerNode | undefined

beforeAll(async () => {
  dataDir = await newDataDir()
  node = await ServerNode.start({ DATA_DIR: dataDir })
})

afterAll(async () => {
  await node?.end('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

/** What promtool says of something, and whether that is good. */
function check(parameters: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(promtool, parameters, {
    cwd: FOLDER,
    input,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  })
  return { status, said: stdout + stderr }
}

test.each([
  ['check', 'config', 'prometheus.yml'],
  ['check', 'rules', 'taps.rules.yml'],
  ['test', 'rules', 'taps.rules.test.yml'],
])('promtool %s %s %s', (...parameters) => {
  expect(check(parameters)).toEqual({ status: 0, said: expect.stringMatching(/SUCCESS/) })
})

test('every alert has a test', async () => {
  const [rules, tests] = await Promise.all(
    ['taps.rules.yml', 'taps.rules.test.yml'].map(name => readFile(join(FOLDER, name), 'utf8')),
  )
  const alerts = Array.from((rules ?? '').matchAll(/alert: (\w+)/g), ([, alert = '']) => alert)
  expect(alerts).not.toEqual([])
  expect(alerts.filter(alert => !tests?.includes(alert))).toEqual([])
})

test('promtool finds nothing to say about our figures', async () => {
  const text = await (await fetch(`${node?.url}/metrics`)).text()
  // Those of Node are named by the library.
  const ours = text.split('\n').filter(line => /^(# \w+ )?taps_/.test(line))
  expect(check(['check', 'metrics'], `${ours.join('\n')}\n`)).toEqual({ status: 0, said: '' })
})

test('a real Prometheus with these files sees the game', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'taps-prometheus-'))
  await cp(FOLDER, folder, { recursive: true })
  const config = await readFile(join(folder, 'prometheus.yml'), 'utf8')
  expect(config).toContain('localhost:3000')
  const { host } = new URL(node?.url ?? '')
  const nearer = config.replace('localhost:3000', host).replaceAll('15s', '1s')
  await writeFile(join(folder, 'prometheus.yml'), nearer)
  const address = `127.0.0.1:${await freePort('127.0.0.1')}`
  const options = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=${address}`,
  ]
  const child = spawn(prometheus, options, { stdio: 'ignore' })
  const api = async (path: string) => {
    const answer = await fetch(`http://${address}/api/v1/${path}`).catch(() => null)
    return (answer?.ok ? await answer.json() : {}) as Answer
  }
  const ask = async (query: string) => {
    const { data } = await api(`query?query=${encodeURIComponent(query)}`)
    return data?.result?.[0]?.metric
  }
  try {
    await vi.waitUntil(() => ask('taps_ledger_sound == 1'), { timeout: TIMEOUT_MS, interval: 200 })
    expect(await ask('taps_build_info')).toMatchObject({ job: 'taps', version: VERSION })
    expect((await api('rules')).data?.groups?.[0]?.rules).not.toEqual([])
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
})
