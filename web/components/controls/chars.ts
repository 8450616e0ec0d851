import type { CSSProperties } from 'react'

/** Returns a style that tells CSS the number of characters of a text, which the text's size depends on. */
export function charsOf(text: string): CSSProperties {
  return { '--chars': text.length } as CSSProperties
}
