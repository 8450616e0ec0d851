import { exceptEmoji, normaliseName, withoutJoiners } from './name-text.ts'

/**
 * Parts of a name that its key keeps: numbers, European letters without marks, and other letters with marks
 * (except tatweel).
 */
const KEYED =
  /[[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]&&\p{L}]|[\p{L}--\u0640][\p{M}--[\u0300-\u036f]]*|\p{N}/gv

/**
 * Maps emoji to the letters that they show, and flags to flags that look the same. Never change an entry,
 * because the database stores the keys.
 */
const SHOWN_AS = new Map(
  `🅰 A, 🅱 B, 🅾 O, 🅿 P, ⭕ O, 🆎 AB, 🆑 CL, 🆒 COOL, 🆓 FREE, 🆔 ID, 🆕 NEW, 🆖 NG, 🆗 OK, 🆘 SOS, 🆙 UP, 🆚 VS,
  🇧🇻 🇳🇴, 🇸🇯 🇳🇴, 🇭🇲 🇦🇺, 🇺🇲 🇺🇸, 🇲🇫 🇫🇷, 🇨🇵 🇫🇷, 🇪🇦 🇪🇸, 🇩🇬 🇮🇴, 🇷🇴 🇹🇩, 🇲🇨 🇮🇩`
    .split(/,\s+/)
    .map(pair => pair.split(' ') as [emoji: string, shown: string]),
)

/**
 * Reduces a name to its key for comparisons: letters, digits and emoji, without case, spaces or punctuation.
 * Latin, Greek and Cyrillic letters lose their accents.
 *
 * @returns the key; empty when nothing is left
 */
export function nameKey(name: string): string {
  return exceptEmoji(spellOutEmoji(name), text =>
    fold(withoutJoiners(text).normalize('NFKD').match(KEYED)?.join('') ?? ''),
  )
}

/** Normalises a name, and replaces emoji with the letters or digits that they show: 🅰️ with A, 1️⃣ with 1. */
export function spellOutEmoji(name: string): string {
  // Normalise first: ʼ is a letter, so it would create a new key and a fresh set of password guesses.
  return exceptEmoji(normaliseName(name), text => text, spellOut)
}

function spellOut(emoji: string): string {
  // Drops what follows the first code point: selectors, and the frame of a keycap.
  const [sign = ''] = emoji
  const plain = sign.normalize('NFKC')
  return SHOWN_AS.get(sign) ?? SHOWN_AS.get(emoji) ?? (/^[\p{L}\p{N}]+$/u.test(plain) ? plain : emoji)
}

/** Removes case. Lower case alone would distinguish ς from σ, ß from ss, and ı from I. */
function fold(letters: string): string {
  const folded = letters.toLowerCase().toUpperCase().toLowerCase()
  return folded.replaceAll('ς', 'σ').normalize('NFKC')
}
