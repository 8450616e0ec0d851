import fc from 'fast-check'
import { SEED } from './size.ts'

// All short runs make the same choices; a failure prints its seed and example.
fc.configureGlobal({ seed: SEED })

export { fc }

/** Any character except lone surrogates; fast-check's own generator takes a second to prepare. */
const anyCharacter = fc
  .oneof(fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(point => String.fromCodePoint(point))

export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, maxLength })
}
