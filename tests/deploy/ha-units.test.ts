import { execFile } from 'node:child_process'
import { copyFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROBLEMS } from '../../contract/problems.ts'
import { expand, readEnvironment, readUnit } from './failover/unit.ts'
import { programPath } from './programs.ts'

const run = promisify(execFile)
const systemdAnalyze = programPath('systemd-analyze')

/** A copy of `deploy/ha` that could be `/etc/taps`. */
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps-ha-'))
  await cp('deploy/ha', folder, { recursive: true })
  await copyFile('deploy/taps.service', join(folder, 'taps.service'))
})
afterAll(() => rm(folder, { recursive: true }))

test('systemd finds nothing wrong with the units', async () => {
  const names = ['taps-etcd', 'taps-database', 'taps-haproxy@game', 'taps']
  const units = names.map(name => join(folder, `${name}.service`))
  await copyFile(join(folder, 'taps-haproxy@.service'), join(folder, 'taps-haproxy@game.service'))
  // It fails wherever a program that a unit starts is not installed, and says so in a line; all other lines are faults.
  const { stderr } = await run(systemdAnalyze, ['verify', ...units]).catch(error => error)
  expect(
    stderr.split('\n').filter((line: string) => line && !/not executable|No such file/.test(line)),
  ).toEqual([])
})

test.each(['taps-etcd', 'taps-database', 'taps-haproxy@', 'taps'])(
  'machine.env has all that %s.service asks for',
  async name => {
    const { start, environmentFile } = await readUnit(join(folder, `${name}.service`), 'game')
    const environment = readEnvironment(await readFile('deploy/ha/machine.env', 'utf8'))
    expect(environmentFile).toBe('/etc/taps/machine.env')
    expect(expand(start, environment).join(' ')).not.toMatch(/[${}"]/)
  },
)

test('what HAProxy says while no node answers is what a node would say', async () => {
  const [head = '', body = ''] = (await readFile('deploy/ha/unavailable.http', 'utf8')).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 503 .*Content-Type: application\/problem\+json\r\nRetry-After: 1\r\n/s)
  expect(JSON.parse(body)).toEqual({ status: 503, code: 'unavailable', title: PROBLEMS.unavailable.title })
})
