import { NAME_MAX_GRAPHEMES } from '../contract/rules.ts'

/** The beginning of what is typed, as long as a name may be; most names are shorter, and cost nothing. */
export function limitName(raw: string): string {
  if (raw.length <= NAME_MAX_GRAPHEMES) return raw
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(raw)
  return Array.from(graphemes, ({ segment }) => segment)
    .slice(0, NAME_MAX_GRAPHEMES)
    .join('')
}
