import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runInProcess } from '../../tests/support/operator.ts'
import { readWordFile, refusedWords } from '../people/names.ts'
import { createRefusedNameCheck } from '../people/refused-words.ts'
import { WORDS } from './words.ts'

let DATA_DIR = ''
beforeEach(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), 'taps-words-'))
})
afterEach(() => rm(DATA_DIR, { recursive: true, force: true }))

const taps = (...argv: string[]) => runInProcess(WORDS, argv, { DATA_DIR })
const write = (text: string) => writeFile(join(DATA_DIR, 'refused-words.txt'), text)
const read = () => readFile(join(DATA_DIR, 'refused-words.txt'), 'utf8')
const isRefused = async (name: string) =>
  createRefusedNameCheck(refusedWords(await readWordFile(DATA_DIR)))(name)

test('`./taps refuse` hides a word, `allow` shows it again, and comments stay', async () => {
  await write('# Ours\nbadger\n')
  await taps('refuse', 'otter')
  expect(await isRefused('Swift Otter 427')).toBe(true)
  expect(await read()).toBe('# Ours\nbadger\notter\n')
  await taps('allow', 'Otter')
  expect(await isRefused('Swift Otter 427')).toBe(false)
  expect(await read()).toBe('# Ours\nbadger\n')
})

test('`./taps refuse` hides one whole name and no other name', async () => {
  await taps('refuse', 'Swift Otter 427')
  expect(await Promise.all(['swift otter 427', 'Swift Otter 428', 'Otter'].map(isRefused))).toEqual([
    ...[true, false, false],
  ])
})

test('`./taps refuse` takes several words, and says which of them the list cannot take', async () => {
  const { ok, lines } = await taps('refuse', 'otter', 'fuck', 'Swift Badger', 'ab')
  expect(ok).toBe(false)
  expect(lines.join()).toMatch(
    /"fuck" is refused already,.*"ab" has fewer than 3 letters,"otter".*"Swift Badger"/,
  )
  expect((await read()).trim()).toBe('otter\nSwift Badger')
  await taps('allow', 'otter', 'swift badger')
  expect((await read()).trim()).toBe('')
})

test('`./taps refuse` widens an entry to names with letters around the word', async () => {
  await taps('refuse', 'otter')
  expect(await isRefused('Otterville')).toBe(false)
  await taps('refuse', 'otter*')
  expect(await isRefused('Otterville')).toBe(true)
  expect((await read()).trim()).toBe('otter*')
})

test('`./taps allow` takes a word out of the default list, and `refuse` puts it back', async () => {
  await taps('allow', 'fuck')
  expect(await isRefused('fuck')).toBe(false)
  expect(await isRefused('shit')).toBe(true)
  await taps('refuse', 'fuck')
  expect(await isRefused('motherfucker')).toBe(true)
  expect((await read()).trim()).toBe('')
})

test.each([
  ['refuse', 'fuck', '"fuck" is refused already'],
  ['refuse', 'ab', 'fewer than 3 letters'],
  ['refuse', '-otter', 'Give words'],
  ['refuse', 'one\ntwo', 'Give words'],
  ['allow', 'badger', '"badger" is not refused'],
  ['allow', 'admin', 'suggests an operator'],
  ['allow', 'motherfucker', 'is refused by the entry *fuck*'],
])('`./taps %s %s` changes nothing and says why', async (command, word, reason) => {
  await write('# Ours\n')
  await expect(taps(command, word)).rejects.toThrow(reason)
  expect(await read()).toBe('# Ours\n')
})
