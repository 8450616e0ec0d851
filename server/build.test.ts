import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from '../tests/support/client.ts'
import { toUrl } from '../tests/support/command.ts'
import { createTestDatabase } from '../tests/support/database.ts'
import { TEST_SECRET } from '../tests/support/game.ts'
import { ServerNode } from '../tests/support/node.ts'
import { ROOT } from './lib/root.ts'

const PROJECT = fileURLToPath(ROOT)
const SOURCES = [
  ...['acts', 'contract', 'lists', 'migrations', 'scripts', 'server', 'web', 'builds', 'dist'],
  ...['package.json', 'package-lock.json', 'vite.config.ts', 'vite.server.config.ts'],
  ...['tsconfig.base.json', 'tsconfig.json', 'tsconfig.web.json'],
]

/** A checkout of its own, as it was built for this run of the tests. */
async function checkOut(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'taps-running-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const path of SOURCES) {
    await cp(join(PROJECT, path), join(folder, path), { recursive: true, verbatimSymlinks: true })
  }
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

test('a server that runs is not changed by a build beside it: it reads its own pages, threads and acts', async () => {
  const folder = await checkOut()
  const { connection, drop } = await createTestDatabase()
  onTestFinished(drop)
  const main = join(folder, 'dist/server/main.js')
  const built = await realpath(main)
  const node = await ServerNode.start({ DATABASE_URL: toUrl(connection), SECRET: TEST_SECRET }, [main])
  onTestFinished(() => node.end('SIGTERM'))

  const replace = async (path: string, words: string, others: string) => {
    const text = await readFile(join(folder, path), 'utf8')
    expect(text).toContain(words)
    await writeFile(join(folder, path), text.replace(words, others))
  }
  await replace('web/index.html', '<title>', '<title>Another ')
  // The thread is started by the first who signs up.
  await replace('server/identity/hash-thread.ts', 'lowerPriority()\n', "throw new Error('another build')\n")
  await promisify(execFile)(process.execPath, [join(folder, 'scripts/start.mjs'), 'build'])

  expect(await realpath(main)).not.toBe(built)
  expect(await readFile(join(folder, 'dist/web/index.html'), 'utf8')).toContain('<title>Another ')
  expect(await (await fetch(node.url)).text()).not.toContain('<title>Another ')
  const client = new Client(node.url)
  expect((await client.createAccount('Built Before', 'a long enough password')).status).toBe(201)
})
