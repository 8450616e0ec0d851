import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { VERSION } from '../../server/lib/version.ts'
import { Client } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'

/**
 * An image with Node and npm, as buildah names it: docker.io/library/node:22-bookworm-slim where that can be had, or
 * oci-archive:/some/file. It is what takes minutes or a network, so whoever runs this brings it along.
 */
const { BASE_IMAGE } = process.env
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BUILD_TIMEOUT_MS = 600_000
const READY_TIMEOUT_MS = 60_000

test('the container serves a game, as a user without rights', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'taps-container-'))
  const store = ['--storage-driver', 'vfs', '--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
  const act = async (...parameters: string[]) => {
    const options = { cwd: ROOT, timeout: BUILD_TIMEOUT_MS, maxBuffer: 2 ** 26 }
    return (await promisify(execFile)('buildah', [...store, ...parameters], options)).stdout.trim()
  }
  try {
    await act('bud', '--isolation', 'chroot', '--build-arg', `NODE=${BASE_IMAGE}`, '-t', 'taps', '.')
    const container = await act('from', 'localhost/taps')
    const command = await act(
      'inspect',
      '--format',
      '{{range .OCIv1.Config.Cmd}}{{println .}}{{end}}',
      container,
    )
    const port = await freePort('127.0.0.1')
    // Without a network of its own it is to listen here alone.
    const settings = ['HOST=127.0.0.1', `PORT=${port}`, 'CLOCK_TOLERANCE_MS=600000'].flatMap(pair => [
      '--env',
      pair,
    ])
    const run = ['run', '--isolation', 'chroot', ...settings, container, '--', ...command.split('\n')]
    const child = spawn('buildah', [...store, ...run], { stdio: ['ignore', 'pipe', 'ignore'] })
    let said = ''
    child.stdout.on('data', chunk => {
      said += chunk
    })
    await vi.waitUntil(() => said.includes('is ready at'), { timeout: READY_TIMEOUT_MS })
    const ready = said.split('\n').find(line => line.includes('is ready at')) ?? ''
    expect(ready).toContain(`TAPS ${VERSION} is ready at`)
    const player = new Client(`http://127.0.0.1:${port}`)
    const { status } = await player.play((await player.session()).round, 0)
    expect(status).toBe(201)
    expect(await act('run', '--isolation', 'chroot', container, '--', 'id', '-un')).toBe('node')
    child.kill('SIGTERM')
    await once(child, 'exit')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
