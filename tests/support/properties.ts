import fc from 'fast-check'
import { SEED } from './size.ts'

// The same choices in every short run; where a property fails, fast-check says with which seed and by which example.
fc.configureGlobal({ seed: SEED })

export { fc }

/** Any character except lone surrogates; fast-check's own generator takes a second to prepare. */
const anyCharacter = fc
  .oneof(fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(point => String.fromCodePoint(point))

/** Any text of at most this many characters. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, maxLength })
}
