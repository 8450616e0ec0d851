import { mkdtemp, rm, writeFile } from 'node:fs/promises'
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
    ['plain', 'Fuck'],
    ['in a word', 'motherfucker 7'],
    ['spelled out among others', 'f u.c k you'],
    ['with a sign inside', 'mother fu.cker'],
    ['with a space inside', 'fu ck'],
    ['with digits around it', '1shit2'],
    ['with emoji inside', 'f🏆u🏆c🏆k'],
    ['with a mark', 'fück'],
    ['spelled out', 'F.u-c k'],
    ['in small capitals of another script', 'ｆｕｃｋ'],
    ['alone', 'the nazi'],
    ['with a digit for a letter', 'Sh1t'],
    ['that stands for a hidden name', 'Hidden  Player'],
    ['that stands for a deleted one', 'DELETED PLAYER'],
    ['of the operator', 'Admin'],
    ['of the operator with a number', 'admin 7'],
    ['of the operator with digits for letters', '4dm1n'],
    ['of the operator spelled out', 'a.d.m.i.n'],
    ['of the operator with accents', 'Ádmìn'],
    ['of the operator with an l for an I', 'ADMlN'],
    ['of the operator beside a name', 'Moderator Bob'],
    ['of the operator with emoji', '⭐Admin⭐'],
    ['of the game', 'T.A.P.S.'],
    ['of the game and the operator', 'TAPS Support Team'],
    ['of the system', 'The System'],
    ['of the staff', 'Official Staff'],
    ['of a role', 'm0d'],
    ['of root', 'root'],
    ['of the system in Cyrillic letters', 'ЅУЅТЕМ'],
    ['of the game in Cyrillic letters', 'ТАРЅ'],
    ['of the operator with Greek letters', 'αdμιη'],
    ['of the operator with a stroke', 'Mødérator'],
    ['of the operator with a letter that is an emoji', '🅰️dmin'],
    ['of the operator with a ring for a letter', 'M⭕derator'],
    ['of the operator with letters of the north', 'Aðmiŋ'],
    ['of the game with a thorn', 'Team TAÞS'],
    ['of the game in flags', '🇹🇦🇵🇸'],
    ['of the operator with a Japanese ending', 'Adminさん'],
  ])('refuses a word %s', async (_, name) => {
    expect((await openRefusedWords(folder))(name)).toBe(true)
  })

  test.each([
    // Names of people and places, and words, in which a refused one only stands.
    ...['Scunthorpe', 'Nazim', 'Shitake', 'Dick', 'Essex', 'Peacock', 'Therapist', 'Dickson', 'Fukuda'],
    ...['Penistone', 'Chin Kim', 'Cun Tao', 'Who Reads', 'Administer', 'Adminton', 'Modest', 'Root Beer'],
    ...['System Shock', 'I ❤️ TAPS', 'Tapster', 'The Team', 'Deleted Scene', 'Player 1', 'Swift Otter 427'],
    ...['Йосип', 'Тарас', 'Система', 'Модест', 'Αθηνά', 'नमस्ते', '計時大師', 'Ken 田中', '🏆', '🇨🇭'],
  ])('leaves %s alone', async name => {
    const isRefused = await openRefusedWords(folder)
    expect(isRefused(name)).toBe(false)
    expect(isRefused(name)).toBe(false)
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

  test('that is too long stops the start with what is wrong', async () => {
    await expect(list(...Array.from({ length: 1_001 }, (_, n) => `word${n}`))).rejects.toThrow('1001 words')
  })
})
