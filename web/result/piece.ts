/** A piece of a line; an amount is gold, and a name has the colour of the text. */
export interface Piece {
  readonly text: string
  readonly kind?: 'amount' | 'name'
}

export function nameOf(text: string): Piece {
  return { text, kind: 'name' }
}
