import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AttemptList } from '../../contract/api.ts'
import { Client } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

/**
 * The base image with Node and npm, in buildah's syntax: docker.io/library/node:24-bookworm-slim, or
 * oci-archive:/some/file when no registry can be reached.
 */
const { BASE_IMAGE } = process.env
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COMMIT = 'c0ffee1'
const BUILD_TIMEOUT_MS = 600_000
const READY_TIMEOUT_MS = 60_000

let folder = ''
let port = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps-container-'))
  await mkdir(join(folder, 'volume'))
  port = await freePort('127.0.0.1')
  await build('taps', 'yes')
  await build('taps-default')
}, 2 * BUILD_TIMEOUT_MS)

afterAll(() => rm(folder, { recursive: true, force: true }))

function storage(): string[] {
  return ['--storage-driver', 'vfs', '--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
}

async function buildah(...argv: string[]): Promise<string> {
  const options = { cwd: ROOT, timeout: BUILD_TIMEOUT_MS, maxBuffer: 2 ** 26 }
  return (await promisify(execFile)('buildah', [...storage(), ...argv], options)).stdout.trim()
}

async function build(image: string, embedded = ''): Promise<void> {
  const values = [`NODE=${BASE_IMAGE}`, `TAPS_VERSION=${COMMIT}`, `EMBEDDED=${embedded}`]
  const args = values.flatMap(value => ['--build-arg', value])
  // The format of Docker, because the other format has no HEALTHCHECK.
  const format = ['--isolation', 'chroot', '--format', 'docker', '--file', 'Dockerfile']
  await buildah('bud', ...format, ...args, '-t', image, '.')
}

/** Makes a container, and returns its name. */
const containerOf = (image: string) => buildah('from', `localhost/${image}`)

function run(container: string, ...argv: string[]): string[] {
  // The container shares the host's network, so the server listens on the loopback address only.
  const settings = ['HOST=127.0.0.1', `PORT=${port}`, 'CLOCK_TOLERANCE_MS=600000']
  const environment = settings.flatMap(setting => ['--env', setting])
  const volume = ['--volume', `${join(folder, 'volume')}:/var/lib/taps:U`]
  return ['run', '--isolation', 'chroot', ...environment, ...volume, container, '--', ...argv]
}

/** Runs the container's own command, and waits until the server is ready. */
async function start(container: string): Promise<ChildProcess> {
  const format = '{{range .OCIv1.Config.Cmd}}{{println .}}{{end}}'
  const command = await buildah('inspect', '--format', format, container)
  const argv = [...storage(), ...run(container, ...command.split('\n'))]
  const child = spawn('buildah', argv, { stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  await until('the line of a ready server', () => output.includes('is ready at'), READY_TIMEOUT_MS)
  expect(output).toContain(`+${COMMIT} is ready at`)
  return child
}

/** Ends buildah, which kills all processes of its container. */
async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

test('a container serves a game as an unprivileged user, and the next container continues the game from the volume', async () => {
  const container = await containerOf('taps')
  expect(await buildah(...run(container, 'id', '-un'))).toBe('node')
  const first = await start(container)
  const player = new Client(`http://127.0.0.1:${port}`)
  const { status, body } = await player.play(0)
  expect(status).toBe(201)
  await stop(first)

  const next = await start(await containerOf('taps'))
  const mine = await player.get<AttemptList>('/api/attempts/mine')
  expect(mine.body.attempts.map(({ id }) => id)).toEqual([body.attempt.id])
  expect((await player.createAccount('Claiming Otter', 'a long enough password')).status).toBe(201)
  const claimed = await player.post<{ taps: number }>('/api/claim')
  expect(claimed.body.taps).toBe(body.prize?.taps)
  await stop(next)
})

test('the default image lacks PostgreSQL, and says in one line what to do', async () => {
  await buildah(...run(await containerOf('taps'), './taps', 'backup', '/var/lib/taps/backup'))
  const container = await containerOf('taps-default')
  const refusal = (...argv: string[]) =>
    buildah(...run(container, ...argv)).then(
      () => '',
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    )
  expect(await refusal('./taps', 'start')).toContain('set DATABASE_URL to a PostgreSQL 15 or newer')
  expect(await refusal('./taps', 'backup', '--verify', '/var/lib/taps/backup')).toContain(
    'No embedded PostgreSQL',
  )
  const other = ['DATABASE_URL=postgres://taps@127.0.0.1:1/taps', `SECRET=${'a'.repeat(32)}`]
  expect(await refusal('env', ...other, './taps', 'start')).toContain(
    '/var/lib/taps holds a game in the embedded database, but DATABASE_URL names another database',
  )
})

test('the image checks its own health', async () => {
  const container = await containerOf('taps')
  const first = await start(container)
  const format = '{{range .Docker.Config.Healthcheck.Test}}{{println .}}{{end}}'
  const [kind, ...command] = (await buildah('inspect', '--format', format, container)).split('\n')
  expect(kind).toBe('CMD')
  await buildah(...run(container, ...command))
  await stop(first)
  await expect(buildah(...run(container, ...command))).rejects.toMatchObject({ code: 1 })
})
