import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keptSecret } from './secret.ts'

let folder = ''
let dataDir = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps-secret-'))
  dataDir = join(folder, 'data')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the kept secret', () => {
  test('is made once, even by several starts at once, and for its owner only', async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, () => keptSecret(dataDir)))
    expect(new Set([...secrets, await keptSecret(dataDir)]).size).toBe(1)
    expect(await readdir(dataDir)).toEqual(['secret'])
    expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe(`${secrets[0]}\n`)
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  })

  test('differs from one game to the next and is long enough not to be guessed', async () => {
    const [one, other] = [await keptSecret(dataDir), await keptSecret(join(folder, 'other'))]
    expect(one).not.toBe(other)
    expect(Buffer.from(one, 'base64url')).toHaveLength(32)
  })

  test('is not used when the file is damaged', async () => {
    await keptSecret(dataDir)
    await writeFile(join(dataDir, 'secret'), 'cut short')
    await expect(keptSecret(dataDir)).rejects.toThrow(/secret is damaged: put it back from a backup/)
  })

  test('needs a data folder that is one', async () => {
    await writeFile(dataDir, 'a file')
    await expect(keptSecret(dataDir)).rejects.toThrow(
      `Cannot write to the data folder ${dataDir} (EEXIST): make it writable or set DATA_DIR`,
    )
  })
})
