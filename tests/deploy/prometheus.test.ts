import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { VERSION } from '../../server/lib/version.ts'
import { freePort } from '../support/free-port.ts'
import { ServerNode } from '../support/node.ts'
import { newDataDir } from '../support/shared-postgres.ts'
import { programPath } from './programs.ts'

const PATIENTLY = { timeout: 60_000, interval: 200 }

test('each alert rises when it should, and no other', () => {
  const { status, stdout, stderr } = spawnSync(
    programPath('promtool'),
    ['test', 'rules', 'tests/deploy/alerts.test.yml'],
    { encoding: 'utf8' },
  )
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: expect.stringMatching(/SUCCESS/) })
})

test('a real Prometheus with these files sees the game', async () => {
  const dataDir = await newDataDir()
  const node = await ServerNode.start({ DATA_DIR: dataDir })
  const folder = await mkdtemp(join(tmpdir(), 'taps-prometheus-'))
  await cp('deploy/prometheus', folder, { recursive: true })
  const config = await readFile(join(folder, 'prometheus.yml'), 'utf8')
  expect(config).toContain('localhost:3000')
  const nearer = config.replace('localhost:3000', new URL(node.url).host).replaceAll('15s', '1s')
  await writeFile(join(folder, 'prometheus.yml'), nearer)
  const address = `127.0.0.1:${await freePort('127.0.0.1')}`
  const options = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=${address}`,
  ]
  const child = spawn(programPath('prometheus'), options, { stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
    await node.end('SIGTERM')
    for (const each of [folder, dataDir]) await rm(each, { recursive: true, force: true })
  })
  const api = async (path: string) => {
    const answer = await fetch(`http://${address}/api/v1/${path}`).catch(() => null)
    return answer?.ok ? ((await answer.json()) as { data: unknown }).data : null
  }
  const ask = (query: string) => api(`query?query=${encodeURIComponent(query)}`)
  const sound = { result: [{ metric: { job: 'taps' } }] }
  await vi.waitFor(async () => expect(await ask('taps_ledger_sound == 1')).toMatchObject(sound), PATIENTLY)
  expect(await ask('taps_build_info')).toMatchObject({ result: [{ metric: { version: VERSION } }] })
  expect(await api('rules')).toMatchObject({ groups: [{ name: 'taps' }] })
})
