import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RefusedWords } from './refused-words.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps-words-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the list that comes with the game', () => {
  test.each([
    ['plain', 'Fuck'],
    ['in a word', 'motherfucker 7'],
    ['in Cyrillic', 'fuсk'],
    ['with a mark', 'fück'],
    ['spelled out', 'F.u-c k'],
    ['in small capitals of another script', 'ｆｕｃｋ'],
    ['alone', 'the nazi'],
    ['with a digit for a letter', 'Sh1t'],
    ['that stands for a hidden name', 'Hidden  Player'],
    ['that stands for a deleted one', 'DELETED PLAYER'],
  ])('refuses a word %s', async (_, name) => {
    expect((await RefusedWords.open(folder)).refuse(name)).toBe(true)
  })

  test.each([
    ['Swift Otter 427'],
    ['Scunthorpe'],
    ['Nazim'],
    ['Shitake'],
    ['Dick'],
    ['Essex'],
    ['Peacock'],
    ['Therapist'],
    ['Player 1'],
    ['計時大師'],
    ['🏆'],
  ])('leaves %s alone', async name => {
    const words = await RefusedWords.open(folder)
    expect(words.refuse(name)).toBe(false)
    expect(words.refuse(name)).toBe(false)
  })
})

describe('a list in the data folder', () => {
  const list = async (...lines: string[]) => {
    await writeFile(join(folder, 'refused-words.txt'), lines.join('\n'))
    return RefusedWords.open(folder)
  }

  test('takes the place of that one', async () => {
    const words = await list('# Ours', '', 'otter', 'begin*', '*end', '*middle*')
    const names = ['otter', 'Swift Otter', 'beginner', 'weekend', 'a middleman']
    expect(names.map(name => words.refuse(name))).toEqual([true, true, true, true, true])
    const others = ['otters', 'unbegin', 'ending', 'fuck']
    expect(others.map(name => words.refuse(name))).toEqual([false, false, false, false])
    expect(words.refuse('Deleted player')).toBe(true)
  })

  test('may be empty', async () => {
    expect((await list('')).refuse('fuck')).toBe(false)
  })

  test('with a word of two letters stops the start with what is wrong', async () => {
    await expect(list('good one', '*ab*')).rejects.toThrow('"*ab*" is too short')
  })

  test('that is too long stops the start with what is wrong', async () => {
    await expect(list(...Array.from({ length: 1_001 }, (_, n) => `word${n}`))).rejects.toThrow('1001 words')
  })
})
