import { execFile } from 'node:child_process'
import { copyFile, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROBLEMS } from '../../contract/problems.ts'

/** As systemd 252 counts, from 0 to 10; "OK" ends at 4. What is left is that it has the network and user space to itself. */
const MOST_EXPOSED = 1.5

/** A copy of all units in one folder, as `/etc/systemd/system` has them. */
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps-units-'))
  await cp('deploy/ha', folder, { recursive: true })
  for (const name of ['taps.service', 'taps-backup.service', 'taps-backup.timer'])
    await copyFile(join('deploy', name), join(folder, name))
  await cp(join(folder, 'taps-haproxy@.service'), join(folder, 'taps-haproxy@game.service'))
})
afterAll(() => rm(folder, { recursive: true }))

const analyze = (...parameters: string[]) => promisify(execFile)('systemd-analyze', parameters)

test('systemd finds nothing wrong with the units', async () => {
  const names = (await readdir(folder)).filter(name => /[^@]\.(service|timer)$/.test(name))
  // It fails wherever a program that a unit starts is not installed, and says so in a line; all other lines are faults.
  const { stderr } = await analyze('verify', ...names.map(name => join(folder, name))).catch(error => error)
  const faults = stderr
    .split('\n')
    .filter((line: string) => line && !/not executable|No such file/.test(line))
  expect({ names: names.length, faults }).toEqual({ names: 6, faults: [] })
})

test('the unit of the game gives it little to do harm with', async () => {
  const { stdout } = await analyze('security', '--offline=yes', 'deploy/taps.service')
  const exposure = Number(/Overall exposure level for \S+ (\d+\.\d+)/.exec(stdout)?.[1])
  expect(exposure).toBeLessThanOrEqual(MOST_EXPOSED)
})

test('what HAProxy says while no node answers is what a node would say', async () => {
  const [head = '', body = ''] = (await readFile('deploy/ha/unavailable.http', 'utf8')).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 503 .*Content-Type: application\/problem\+json\r\nRetry-After: 1\r\n/s)
  expect(JSON.parse(body)).toEqual({ status: 503, code: 'unavailable', title: PROBLEMS.unavailable.title })
})
