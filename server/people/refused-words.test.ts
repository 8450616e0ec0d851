import { expect, test } from 'vitest'
import { readList } from '../lib/project.ts'
import { createRefusedNameCheck } from './refused-words.ts'

const isRefused = createRefusedNameCheck(readList('refused-words'))

test.each([
  [
    'a word alone, within another word or in other letterforms',
    ['Fuck', 'motherfucker 7', 'the nazi', 'ｆｕｃｋ', 'fück'],
  ],
  [
    'a word with separators between its letters',
    ['F.u-c k', 'f u.c k you', 'fu ck', 'mother fu.cker', 'f🏆u🏆c🏆k'],
  ],
  ['a word with signs', ['Fuck!', '(fuck)', 'f!u!c!k', 'f,uck', 'Sh!t 2', 'fu(k', 'mother+fucker', 'shi+']],
  ['a word with digits', ['1shit2', 'Sh1t']],
  ['the placeholder for a hidden or deleted name', ['Hidden  Player', 'DELETED PLAYER']],
  [
    'names of operators',
    [
      'Admin',
      'admin 7',
      'a.d.m.i.n',
      '⭐Admin⭐',
      'Moderator Bob',
      'm0d',
      'root',
      '4dm1n',
      '4dmin7',
      'ADMlN',
      'Ádmìn',
      'adm!n',
      '(Admin)',
      'Mod!',
      'roo+',
    ],
  ],
  [
    'names of operators in letters that look like Latin ones',
    [
      'ЅУЅТЕМ',
      'ТАРЅ',
      'ѕуѕтем',
      'аԁміп',
      'гоот',
      'моԁ 7',
      'ΣΥΣΤΕΜ',
      'ΤΑΡΣ',
      'đadmin',
      'ađmin Bob',
      'mød',
      'Sŧaff',
    ],
  ],
  ['names with emoji that show signs', ['ADM❗N', 'adm❕n', 'ADM❗️N', 'S➕aff', 'sh❗t', 'roo➕']],
  ['names of operators in emoji that show letters', ['🅰️DMIN', 'T🅰️🅿️S', 'ST🅰️FF', 'M🅾️DERAT🅾️R', '🇦🇩MIN', '🇹🇦🇵🇸']],
  ['names of operators with a digit in place of a letter', ['1️⃣dmin', '1dmin 7', 'm2derator', 'T.4.P.S']],
  ['words with joiners or in emoji', ['ni‌gger', 'SHℹ️T', 'm⭕therfucker', '🅾️ nazi', 'fu\u200dck']],
  [
    'words for the leader of a class, as a whole name',
    ['Teacher', 'the teacher 2', 'Lehrer', 'LEHRERIN', 'Professeur', 'profesora', 'Insegnante', 'nauczyciel'],
  ],
  [
    'names of the game and its staff',
    ['T.A.P.S.', '7APS 2', 'TAPS Support Team', 'The System', 'Official Staff'],
  ],
])('refuses with the default list: %s', (_, names) => {
  expect(names.filter(name => !isRefused(name))).toEqual([])
})

test('allows names of people and places, and words that merely contain a refused word', () => {
  const names = [
    ...[
      'Tom & Jerry',
      'Player (1)',
      'C++ fan',
      'Hi!',
      'Hi❗️',
      'C➕➕ fan',
      'Naz (the 2nd)',
      'Root & Branch',
      'Oh, me?!',
      'Chin (Kim)',
    ],
    ...['Scunthorpe', 'Nazim', 'Shitake', 'Dick', 'Essex', 'Peacock', 'Therapist', 'Dickson', 'Fukuda'],
    ...['Penistone', 'Chin Kim', 'Cun Tao', 'Who Reads', 'Administer', 'Adminton', 'Modest', 'Root Beer'],
    ...['Frau Lehrer', 'Lehrer Otto', 'Teacher Ann', 'Admi', 'Min 1', '🇦🇩 Minna', '🇹🇦 Paps', 'Ⓜax'],
    ...['System Shock', 'I ❤️ TAPS', 'Tapster', 'The Team', 'Deleted Scene', 'Player 1', 'Swift Otter 427'],
    ...[
      'Đorđe',
      'Søren',
      'Łukasz',
      'Þór',
      'Bjørn',
      'Ѕвезда',
      'Ярослав',
      'Мороз',
      'Ρωμαίος',
      'Modesta Øst',
      'Tarps',
    ],
    ...['Йосип', 'Тарас', 'Система', 'Модест', 'Αθηνά', 'नमस्ते', '計時大師', 'Ken 田中', '🏆', '🇨🇭'],
  ]
  expect(names.filter(isRefused)).toEqual([])
})

test('matches an entry as a whole word, or with * as part of a word', () => {
  const check = createRefusedNameCheck(['otter', 'begin*', '*end', '*middle*'])
  const refused = ['otter', 'Swift Otter', 'beginner', 'weekend', 'a middleman', 'Deleted player', 'Admin']
  expect(refused.filter(name => !check(name))).toEqual([])
  expect(['otters', 'unbegin', 'ending', 'fuck'].filter(check)).toEqual([])
})

test('matches an entry in any script, regardless of marks and joiners in the name or the entry', () => {
  const check = createRefusedNameCheck(['выдра', 'نمر', '獺獺獺', 'ශ්‍රීමතී', 'علیرضا'])
  expect(['Выдра', 'Вы́дра', 'نَمِر', '獺獺獺', 'ශ්රීමතී', 'ශ්‍රීමතී', 'علی‌رضا'].filter(name => !check(name))).toEqual(
    [],
  )
  expect(check('Выдры')).toBe(false)
})

test('refuses only operator words when the list is empty', () => {
  expect(['fuck', 'admin'].filter(createRefusedNameCheck([]))).toEqual(['admin'])
})

test('rejects an entry that is too short, and says why', () => {
  expect(() => createRefusedNameCheck(['good one', '*ab*'])).toThrow('"*ab*" has fewer than 3 letters')
})
