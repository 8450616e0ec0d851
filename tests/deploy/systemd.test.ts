import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ServerNode } from '../support/node.ts'
import { newDataDir } from '../support/shared-postgres.ts'
import { report } from '../support/size.ts'
import { programPath } from './programs.ts'

const analyze = programPath('systemd-analyze')
const UNIT = fileURLToPath(new URL('../../deploy/taps.service', import.meta.url))
/** As systemd 252 counts, from 0 to 10; "OK" ends at 4. What is left is that it has the network and user space to itself. */
const MOST_EXPOSED = 1.5

/** What the unit says under a name, the last one. */
async function setting(name: string): Promise<string | undefined> {
  const lines = (await readFile(UNIT, 'utf8')).split('\n')
  return lines.findLast(line => line.startsWith(`${name}=`))?.slice(name.length + 1)
}

function analyzed(...parameters: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(analyze, parameters)
}

test('the unit is one that systemd takes without a word', async () => {
  expect(await analyzed('verify', UNIT)).toEqual({ stdout: '', stderr: '' })
})

test('it gives the service little to do harm with', async () => {
  const { stdout } = await analyzed('security', '--offline=yes', UNIT)
  const exposure = Number(/Overall exposure level for \S+ (\d+\.\d+)/.exec(stdout)?.[1])
  report('systemd', { exposure })
  expect(exposure).toBeLessThanOrEqual(MOST_EXPOSED)
})

test('it is never given up, and what it starts is the game, which its stop signal ends in time', async () => {
  expect(await setting('StartLimitIntervalSec')).toBe('0')
  expect(await setting('Restart')).toBe('always')
  const [program, ...parameters] = (await setting('ExecStart'))?.split(' ') ?? []
  const { PATH = '' } = process.env
  const dataDir = await newDataDir()
  // As in the service the program is found by its name; it is this one.
  const settings = { DATA_DIR: dataDir, PATH: `${dirname(process.execPath)}:${PATH}` }
  const node = await ServerNode.start(settings, parameters, program)
  expect((await fetch(`${node.url}/readyz`)).status).toBe(200)
  const began = performance.now()
  await node.end('SIGTERM')
  expect(node.exitCode).toBe(0)
  expect(performance.now() - began).toBeLessThan(Number(await setting('TimeoutStopSec')) * 1_000)
  await rm(dataDir, { recursive: true, force: true })
})
