import fc from 'fast-check'

/** Any character but half ones; fast-check's own takes a second of a core to prepare. */
const anyCharacter = fc
  .oneof(fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(point => String.fromCodePoint(point))

/** Any text of at most so many characters. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, maxLength })
}
