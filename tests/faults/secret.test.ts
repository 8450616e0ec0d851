import { readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Client } from '../support/client.ts'
import { runBuilt } from '../support/command.ts'
import { ServerNode } from '../support/node.ts'
import { ownStage } from '../support/stage.ts'

const PASSWORD = 'correct horse battery'
const stage = ownStage()

async function errorLine(): Promise<string> {
  const node = ServerNode.launch(stage.settings())
  await node.exited
  expect(node.exitCode).toBe(1)
  return node.sentences.at(-1) ?? ''
}

test('a start fails when the secret is lost, until the operator creates a new secret, which keeps passwords', async () => {
  const secret = join(stage.dataDir, 'secret')
  await new Client(stage.node.url).createAccount('Kept', PASSWORD)
  const { rows } = await stage.auditor.read(pool => pool.query('select password_hash from users'))
  expect(rows).toEqual([{ password_hash: expect.stringMatching(/^\$2b\$10\$/) }])
  await stage.node.end('SIGTERM')
  await rename(secret, `${secret}.mislaid`)

  const line = await errorLine()
  expect(line).toMatch(/^\S+secret is missing, but a game exists: put the file back[^\n]+$/)

  // The error names the command that creates a new secret.
  const [, command = ''] = /: \.\/taps (\S+)$/.exec(line) ?? []
  expect(await runBuilt(command, [], stage.settings())).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Passwords and sessions stay valid'),
  })
  expect((await stat(secret)).mode & 0o777).toBe(0o600)
  expect((await readFile(secret, 'utf8')).trim().length).toBeGreaterThanOrEqual(32)
  stage.node = await ServerNode.start(stage.settings())
  expect((await new Client(stage.node.url).login('Kept', PASSWORD)).status).toBe(200)
})
