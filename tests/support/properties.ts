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

/** Random text, or a random mix of letters, marks, signs and emoji. */
export const anyName = fc.oneof(
  anyText(40),
  fc
    .array(
      fc.constantFrom(
        ...[..."aZ0 9-_.'!?&+(),<ßſıİéờΣςйИ木かㅋ가ก็ำम्ा１Ⓜ"],
        ...['\u0301', '\u0307', '\u0345', '\u3099', '\u20e3', '\u0640', '\u064e', '\u0d4e'],
        ...['\ufe0f', '\u200c', '\u200d', '\u200b', '\u2066', '\t', '\u0dca', '\u09cd', 'য'],
        ...['🏆', '❤️', '👍🏽', '🏽', '🇨', '🇨🇭', '1️⃣', '👩‍🚀', '  '],
      ),
      { maxLength: 12 },
    )
    .map(parts => parts.join('')),
)
