/** The spelling of names: emoji, invisible characters and Unicode's normal form. */

/**
 * Matches an emoji, but not a lone skin tone, which would join the preceding character. Null in Safari 16.4,
 * which lacks the flag `v`.
 */
export const EMOJI = compileEmoji()

function compileEmoji(): RegExp | null {
  try {
    return /((?!\p{Emoji_Modifier})\p{RGI_Emoji})/gv
  } catch {
    return null
  }
}

const APOSTROPHES = /[‘’ʻʼ]/g

const JOINERS = /[\u200c\u200d]/g
const REPEATED_JOINERS = /([\u200c\u200d])[\u200c\u200d]+/g
/** Characters that are never seen, such as zero-width spaces and direction marks, except the joiners. */
const IGNORABLE = /(?![\u200c\u200d])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

const ARABIC_LETTER = String.raw`(?=\p{L})\p{sc=Arabic}`
/** The viramas of the scripts that a name may have: characters of the combining class 9. */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u17d2]`
/** Where spelling needs a joiner: between Arabic letters, after a virama, and in Bengali র‍্য. */
const SPELLED_JOINERS = [
  String.raw`(?<=${ARABIC_LETTER}\p{M}*)\u200c(?=${ARABIC_LETTER})`,
  String.raw`(?<=${VIRAMA})[\u200c\u200d]`,
  String.raw`\u200d(?=\u09cd[\u09af\u09df])`,
]
const STRAY_JOINERS = new RegExp(String.raw`(?!${SPELLED_JOINERS.join('|')})[\u200c\u200d]`, 'gu')

/** Removes invisible characters and spare spaces, and applies NFKC. Emoji stay as they are. */
export function normaliseName(raw: string): string {
  return squeeze(exceptEmoji(raw, text => compose(withoutInvisible(text))))
}

/** Removes outer spaces, and makes one space of several spaces or tabs. */
export function squeeze(text: string): string {
  return text.trim().replace(/[\t ]+/g, ' ')
}

/** Removes invisible characters, but keeps the joiners that spelling needs. */
export function withoutInvisible(text: string): string {
  return text.replace(IGNORABLE, '').replace(REPEATED_JOINERS, '$1').replace(STRAY_JOINERS, '')
}

export function withoutJoiners(text: string): string {
  return text.replace(JOINERS, '')
}

/** Applies NFKC, but restores the Thai and Lao vowel AM. */
function compose(text: string): string {
  // Applies NFKC first, because it turns ŉ into ʼ and n.
  const composed = text.normalize('NFKC').replace(APOSTROPHES, "'")
  return composed.replaceAll('\u0e4d\u0e32', '\u0e33').replaceAll('\u0ecd\u0eb2', '\u0eb3')
}

/**
 * Changes text and emoji separately, because emoji contain joiners and selectors that are removed elsewhere.
 */
export function exceptEmoji(
  name: string,
  change: (text: string) => string,
  changeEmoji = (emoji: string) => emoji,
): string {
  // Splitting by a group leaves the emoji at odd indexes.
  const parts = EMOJI === null ? [name] : name.split(EMOJI)
  return parts.map((part, place) => (place % 2 === 0 ? change(part) : changeEmoji(part))).join('')
}
