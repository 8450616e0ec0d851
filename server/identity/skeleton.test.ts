import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { skeleton } from './skeleton.ts'

describe('names that look alike have one skeleton:', () => {
  test.each([
    ['Latin and Cyrillic', ['paypal', 'раураl', 'РАУРАL', 'Paypal', 'PaypaI', 'PAYPA1', 'paypa|']],
    ['Latin and Greek', ['AVOKADO', 'ΑVΟΚΑDΟ', 'avokado']],
    ['rn and m', ['modern', 'modem', 'MODEM', 'rnodern']],
    ['zero and O', ['b0b0', 'bobo', 'BOBO', 'ВОВО']],
    ['i, I, l and 1', ['Billi', 'BIllI', 'Bi11i', 'віІlі'.replace('в', 'b')]],
    ['wide, bold, script and circled letters', ['Otter', 'Ｏｔｔｅｒ', '𝐎𝐭𝐭𝐞𝐫', '𝓞𝓽𝓽𝓮𝓻', 'Ⓞⓣⓣⓔⓡ']],
    ['composed and decomposed', ['Zo\u00eb', 'Zoe\u0308']],
    ['one space, two, and one that does not break', ['Ada L', 'Ada  L', 'Ada\u00a0L']],
    ['quotes', ["O'Hara", 'O’Hara', 'O`Hara']],
  ])('%s', (_, names) => {
    expect(new Set(names.map(skeleton)).size).toBe(1)
  })
})

test('names that look different have different skeletons', () => {
  const names = [
    'otter',
    'ötter',
    'otter 2',
    'otter 3',
    'ottér',
    'utter',
    'выдра',
    '計時',
    '計',
    '🏆',
    '🎯',
    'a-b',
    'a b',
  ]
  expect(new Set(names.map(skeleton)).size).toBe(names.length)
})

test('a skeleton knows no case, and its own is itself', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789 -_.'), maxLength: 32 }),
      name => {
        expect(skeleton(name.toUpperCase())).toBe(skeleton(name))
        expect(skeleton(skeleton(name))).toBe(skeleton(name))
      },
    ),
    { numRuns: 2_000 },
  )
})

test('any text has a skeleton', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), text => {
      expect(typeof skeleton(text)).toBe('string')
    }),
    { numRuns: 2_000 },
  )
})
