import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StartError } from './lib/process.ts'
import { loadOrCreateSecret } from './secret.ts'

let folder = ''
let dataDir = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps-secret-'))
  dataDir = join(folder, 'data')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const newGame = async () => false
const oldGame = async () => true

describe('the stored secret', () => {
  test('is created once by simultaneous starts, and is readable only by its owner', async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateSecret(dataDir, newGame)))
    expect(new Set([...secrets, await loadOrCreateSecret(dataDir, oldGame)]).size).toBe(1)
    expect(await readdir(dataDir)).toEqual(['secret'])
    expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe(`${secrets[0]}\n`)
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  })

  test('has 32 random bytes, different for each game', async () => {
    const [one, other] = [
      await loadOrCreateSecret(dataDir, newGame),
      await loadOrCreateSecret(join(folder, 'other'), newGame),
    ]
    expect(one).not.toBe(other)
    expect(Buffer.from(one, 'base64url')).toHaveLength(32)
  })

  test('is refused when its file is damaged', async () => {
    await loadOrCreateSecret(dataDir, newGame)
    await writeFile(join(dataDir, 'secret'), 'cut short')
    await expect(loadOrCreateSecret(dataDir, oldGame)).rejects.toThrow(
      /secret is damaged: put it back from a backup/,
    )
  })

  test('is not replaced when missing from an existing game; the error says what to do', async () => {
    const lost = loadOrCreateSecret(dataDir, oldGame)
    await expect(lost).rejects.toThrow(StartError)
    await expect(lost).rejects.toThrow(
      /secret is missing, but a game exists: put the file back from a backup/,
    )
    await expect(lost).rejects.not.toThrow(/\n/)
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT')
  })

  test('cannot be created when the data folder is a file', async () => {
    await writeFile(dataDir, 'a file')
    await expect(loadOrCreateSecret(dataDir, newGame)).rejects.toThrow(
      `Cannot write to the data folder ${dataDir} (EEXIST): make it writable or set DATA_DIR`,
    )
  })
})
