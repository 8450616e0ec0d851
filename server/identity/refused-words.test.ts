import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRefusedWords } from './refused-words.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps-words-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the list that comes with the game', () => {
  test.each([
    [
      'a word alone, in a word or in another script',
      ['Fuck', 'motherfucker 7', 'the nazi', 'ｆｕｃｋ', 'fück'],
    ],
    ['a word that is spelled out', ['F.u-c k', 'f u.c k you', 'fu ck', 'mother fu.cker', 'f🏆u🏆c🏆k']],
    ['a word with digits', ['1shit2', 'Sh1t']],
    ['what stands for a hidden or deleted name', ['Hidden  Player', 'DELETED PLAYER']],
    [
      'the operator',
      ['Admin', 'admin 7', 'a.d.m.i.n', '⭐Admin⭐', 'Moderator Bob', 'm0d', 'root', '4dm1n', '4dmin7'],
    ],
    ['the game and its staff', ['T.A.P.S.', '7APS 2', 'TAPS Support Team', 'The System', 'Official Staff']],
    ['the operator in letters that look alike', ['ADMlN', 'Ádmìn', 'Mødérator', 'Aðmiŋ', 'Team TAÞS']],
    ['the operator in Cyrillic and Greek letters', ['ЅУЅТЕМ', 'ТАРЅ', 'αdμιη']],
    ['the operator in emoji', ['🅰️dmin', 'M⭕derator', '🇹🇦🇵🇸']],
    ['the operator with a Japanese ending', ['Adminさん']],
  ])('refuses %s', async (_, names) => {
    const isRefused = await openRefusedWords(folder)
    expect(names.filter(name => !isRefused(name))).toEqual([])
  })

  test('leaves alone names of people and places, and words, in which a refused one only stands', async () => {
    const isRefused = await openRefusedWords(folder)
    const names = [
      ...['Scunthorpe', 'Nazim', 'Shitake', 'Dick', 'Essex', 'Peacock', 'Therapist', 'Dickson', 'Fukuda'],
      ...['Penistone', 'Chin Kim', 'Cun Tao', 'Who Reads', 'Administer', 'Adminton', 'Modest', 'Root Beer'],
      ...['System Shock', 'I ❤️ TAPS', 'Tapster', 'The Team', 'Deleted Scene', 'Player 1', 'Swift Otter 427'],
      ...['Йосип', 'Тарас', 'Система', 'Модест', 'Αθηνά', 'नमस्ते', '計時大師', 'Ken 田中', '🏆', '🇨🇭'],
    ]
    expect(names.filter(isRefused)).toEqual([])
  })
})

describe('a list in the data folder', () => {
  const list = async (...lines: string[]) => {
    await writeFile(join(folder, 'refused-words.txt'), lines.join('\n'))
    return openRefusedWords(folder)
  }

  test('takes the place of that one', async () => {
    const isRefused = await list('# Ours', '', 'otter', 'begin*', '*end', '*middle*')
    const names = ['otter', 'Swift Otter', 'beginner', 'weekend', 'a middleman']
    expect(names.map(name => isRefused(name))).toEqual([true, true, true, true, true])
    const others = ['otters', 'unbegin', 'ending', 'fuck']
    expect(others.map(name => isRefused(name))).toEqual([false, false, false, false])
    expect(isRefused('Deleted player')).toBe(true)
    expect(isRefused('Admin')).toBe(true)
  })

  test('may be in any script, whose marks make no difference', async () => {
    const isRefused = await list('выдра', 'نمر', '獺獺獺')
    const names = ['Выдра', 'Вы́дра', 'نَمِر', '獺獺獺', 'Выдры']
    expect(names.map(name => isRefused(name))).toEqual([true, true, true, true, false])
  })

  test('may be empty', async () => {
    expect((await list(''))('fuck')).toBe(false)
  })

  test('with a word of two letters stops the start with what is wrong', async () => {
    await expect(list('good one', '*ab*')).rejects.toThrow('"*ab*" is too short')
  })

  test('that cannot be read stops the start with what is wrong', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'taps-words-'))
    await mkdir(join(elsewhere, 'refused-words.txt'))
    await expect(openRefusedWords(elsewhere)).rejects.toThrow(
      /^Cannot read refused-words.txt in .* \(EISDIR\)$/,
    )
    await rm(elsewhere, { recursive: true })
  })

  test('that is too long stops the start with what is wrong', async () => {
    await expect(list(...Array.from({ length: 1_001 }, (_, n) => `word${n}`))).rejects.toThrow('1001 words')
  })
})
