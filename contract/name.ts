/** What a player may be called; the same check runs in the page, for a quick word, and on the server. */

/** The longest name, in what a person counts as characters. */
export const NAME_MAX_GRAPHEMES = 32
/** Bounds what has to be looked at before graphemes are counted. */
export const NAME_MAX_LENGTH = 200

/** A name that may be stored, or the plain words for why not. */
export type NameCheck =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly blank: boolean; readonly problem: string }

/**
 * Controls, lone surrogates, private use, unassigned, line and paragraph separators, format characters
 * (bidi overrides, zero-width) and the other code points that render as nothing.
 */
const FORBIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** Code points Unicode calls visible but fonts draw as blanks: of Braille, Khitan, hieroglyphs and music. */
const BLANK_LOOKING = /[\u2800\u{16fe4}\u{13441}\u{13442}\u{1d159}]/u

/** More marks on a letter than any writing needs, which would run into the lines above and below. */
const PILED_UP = /\p{Mn}{5}/u

/** Something to see: marks alone stand on nothing. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Printable ASCII: nothing to normalise or to forbid, a character each. Most names are; the rest costs 8 µs a name. */
const PLAIN = /^[ -~]*$/

/** What takes a name beyond ASCII apart. */
interface Tools {
  readonly graphemes: Intl.Segmenter
  readonly emoji: RegExp
}

let tools: Tools | null = null

/** Made when first needed: 16 ms of a fast core, 64 of a slow phone, which a page that is loading does not have. */
function takeTools(): Tools {
  tools ??= {
    graphemes: new Intl.Segmenter('en', { granularity: 'grapheme' }),
    // Emoji are built with joiners and variation selectors that are forbidden anywhere else.
    emoji: /^\p{RGI_Emoji}$/v,
  }
  return tools
}

/** Trims, brings to NFC and checks a name. */
export function checkName(raw: string): NameCheck {
  if (raw.length > NAME_MAX_LENGTH) return refuse(`A name has at most ${NAME_MAX_GRAPHEMES} characters`)
  const name = raw.normalize('NFC').trim()
  if (name === '') return { ok: false, blank: true, problem: 'Please enter your name first!' }
  if (PLAIN.test(name) && name.length <= NAME_MAX_GRAPHEMES) return { ok: true, name }
  const { graphemes, emoji } = takeTools()
  const letters = Array.from(graphemes.segment(name), ({ segment }) => segment)
  if (letters.length > NAME_MAX_GRAPHEMES)
    return refuse(`A name has at most ${NAME_MAX_GRAPHEMES} characters`)
  const plain = letters.filter(letter => !emoji.test(letter)).join('')
  if (FORBIDDEN.test(plain) || BLANK_LOOKING.test(plain)) {
    return refuse('A name cannot contain invisible or control characters')
  }
  if (PILED_UP.test(plain) || !VISIBLE.test(name)) {
    return refuse('A name needs letters, with no more marks than they can carry')
  }
  return { ok: true, name }
}

/** The form under which account names are unique: compatibility-normalised and without regard to case. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC')
}

function refuse(problem: string): NameCheck {
  return { ok: false, blank: false, problem }
}
