import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownStage } from '../support/stage.ts'
import { command } from './command.ts'

/** Needs Python 3.10 or newer with venv, and a package registry. */
const GENERATOR = 'openapi-python-client==0.29.1'
const ROUND = fileURLToPath(new URL('openapi_round.py', import.meta.url))

const stage = ownStage({ CLOCK_TOLERANCE_MS: '750' })
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps-openapi-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a generated Python client plays a round, claims, and reads a refusal, without a warning', async () => {
  const document = join(folder, 'openapi.json')
  const answer = await fetch(`${stage.node.url}/api/openapi.json`)
  await writeFile(document, await answer.text())
  const config = join(folder, 'config.yaml')
  await writeFile(config, 'post_hooks: []\n')

  await command('python3', '-m', 'venv', join(folder, 'venv'))
  const bin = join(folder, 'venv/bin')
  await command(join(bin, 'pip'), 'install', '--quiet', '--disable-pip-version-check', GENERATOR)
  const client = join(folder, 'taps_client')
  const flags = ['--config', config, '--meta', 'none', '--fail-on-warning', '--output-path', client]
  await command(join(bin, 'openapi-python-client'), 'generate', '--path', document, ...flags)
  expect(await command(join(bin, 'python'), ROUND, folder, stage.node.url)).toBe('')
})
