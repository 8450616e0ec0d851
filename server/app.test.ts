import { rm, writeFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { TEST_SECRET } from '../tests/support/game.ts'
import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import { openApp } from './app.ts'
import { createServer } from './http/server.ts'
import { REFUSED_WORDS_FILE } from './people/refused-words.ts'
import { readEnv } from './settings.mjs'

test('closes the database when a later part cannot be opened', async () => {
  const dataDir = await temporaryFolder('taps-app-')
  onTestFinished(() => rm(dataDir, { recursive: true }))
  await writeFile(`${dataDir}/${REFUSED_WORDS_FILE}`, '?')
  const end = vi.spyOn(pg.Pool.prototype, 'end')
  const env = { ...readEnv({}), dataDir }
  const server = createServer(env, { write: () => undefined })
  const opening = openApp(env, TEST_SECRET, inject('testServer').connection, server)
  await expect(opening).rejects.toThrow(REFUSED_WORDS_FILE)
  expect(end).toHaveBeenCalledOnce()
})
