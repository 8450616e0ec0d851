import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { until } from '../../tests/support/until.ts'
import { openNames } from './names.ts'

let folder = ''
let file = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps-words-'))
  file = join(folder, 'refused-words.txt')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Opens the data folder's list, with spies on the log. */
async function open() {
  const [info, warn] = [vi.fn(), vi.fn()]
  const names = await openNames(folder, { info, warn })
  onTestFinished(() => names.close())
  return { names, info, warn }
}

describe('the list of refused words', () => {
  test("is the default list, with the words that the data folder's list adds and takes out", async () => {
    const { names } = await open()
    expect(['fuck', 'bitch', 'otter'].map(names.isRefused)).toEqual([true, true, false])
    await writeFile(file, '# Ours\n\notter\n-Bitch\n-admin\n')
    const { names: ours } = await open()
    expect(['fuck', 'bitch', 'otter', 'admin'].map(ours.isRefused)).toEqual([true, false, true, true])
  })

  test('prevents the start with a one-line error when the file cannot be read', async () => {
    await mkdir(file)
    await expect(open()).rejects.toThrow(/^Cannot read .*refused-words\.txt \(EISDIR\)[^\n]*$/)
  })

  test('is read again every minute until it is closed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { names, info } = await open()
    await writeFile(file, 'otter')
    vi.advanceTimersByTime(60_000)
    await until('the changed list', () => names.isRefused('otter'))
    await names.reread()
    expect(info, 'logged once').toHaveBeenCalledExactlyOnceWith('the list of refused words has changed')
    names.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each([
    [
      'cannot be read',
      () => rm(file).then(() => mkdir(file)),
      /^Cannot read .*refused-words\.txt \(EISDIR\)/,
    ],
    ['has an invalid entry', () => writeFile(file, 'ab'), /"ab" has fewer than 3 letters$/],
  ])('stays the same while the file %s, with a warning', async (_, spoil, reason) => {
    await writeFile(file, 'otter')
    const { names, warn } = await open()
    await spoil()
    await names.reread()
    expect(names.isRefused('otter')).toBe(true)
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      { reason: expect.stringMatching(reason) },
      expect.any(String),
    )
    await rm(file, { recursive: true })
    await names.reread()
    expect(names.isRefused('otter'), 'without a file').toBe(false)
  })
})

test('masks a refused name, but not the name shown for deleted users', async () => {
  await writeFile(file, 'otter')
  const { names } = await open()
  expect(['Swift Otter 427', 'Admin', 'Deleted player', 'deleted player', 'Bob'].map(names.mask)).toEqual([
    ...['Hidden player', 'Hidden player', 'Deleted player', 'Hidden player', 'Bob'],
  ])
})
