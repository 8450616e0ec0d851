import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadOrCreateSecret, loadSecret } from './secret.ts'

let folder = ''
let dataDir = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps-secret-'))
  dataDir = join(folder, 'data')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const load = (folder = dataDir) => loadOrCreateSecret({ secret: null, dataDir: folder })

describe('the stored secret', () => {
  test('is created once, and is readable only by its owner', async () => {
    const secret = await load()
    expect(await load()).toBe(secret)
    expect(await readdir(dataDir)).toEqual(['secret'])
    expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe(`${secret}\n`)
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  })

  test('is not created by a command that only reads the secret', async () => {
    const place = { secret: null, dataDir }
    await expect(loadSecret(place)).rejects.toThrow(`${join(dataDir, 'secret')} is missing: put it back`)
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT')
    expect(await loadSecret({ secret: 'given', dataDir })).toBe('given')
    expect(await load()).toBe(await loadSecret(place))
  })

  test('has 32 random bytes, different for each game', async () => {
    const [one, other] = [await load(), await load(join(folder, 'other'))]
    expect(one).not.toBe(other)
    expect(Buffer.from(one, 'base64url')).toHaveLength(32)
  })

  test('is refused when its file is damaged', async () => {
    await load()
    await writeFile(join(dataDir, 'secret'), 'cut short')
    await expect(load()).rejects.toThrow(/secret is damaged: put it back from a backup/)
  })

  test('cannot be created when the data folder is a file', async () => {
    await writeFile(dataDir, 'a file')
    await expect(load()).rejects.toThrow(
      `Cannot write to the data folder ${dataDir} (EEXIST): make it writable or set DATA_DIR`,
    )
  })
})
